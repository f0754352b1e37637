from typing import Optional

import torch
import torch.nn as nn


class Model(nn.Module):
    """
    One step of a tanh recurrent network with a linear read-out.

    x: [batch_size, input_size]; initial_hidden: [batch_size, hidden_size];
    output: [batch_size, output_size].

    The hidden state is a plain attribute, neither a parameter nor a buffer. It is drawn at random
    in the constructor, for batch_size rows, and kept from call to call; initial_hidden, where
    given, is copied over it first.
    """

    def __init__(self, input_size: int, hidden_size: int, output_size: int):
        super().__init__()
        self.hidden = torch.randn(batch_size, hidden_size)
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)

    def forward(
        self, x: torch.Tensor, initial_hidden: Optional[torch.Tensor] = None
    ) -> torch.Tensor:
        hidden = self.hidden.to(device=x.device, dtype=x.dtype)
        if initial_hidden is not None:
            hidden.copy_(initial_hidden)
        self.hidden = torch.tanh(self.i2h(torch.cat((x, hidden), dim=1)))
        return self.h2o(self.hidden)


batch_size = 256
input_size = 16384
hidden_size = 16384
output_size = 8192


def get_inputs():
    return [torch.rand(batch_size, input_size), torch.rand(batch_size, hidden_size)]


def get_init_inputs():
    return [input_size, hidden_size, output_size]
