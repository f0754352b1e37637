import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Tanh recurrent network over a sequence, with a linear read-out at every step.

    x: [sequence_length, batch_size, input_size]; h0: [batch_size, hidden_size];
    output: [sequence_length, batch_size, output_size].
    """

    def __init__(self, input_size: int, hidden_size: int, output_size: int):
        super().__init__()
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)

    def forward(self, x: torch.Tensor, h0: torch.Tensor) -> torch.Tensor:
        hidden = h0
        outputs = []
        for step in range(x.shape[0]):
            hidden = torch.tanh(self.i2h(torch.cat((x[step], hidden), dim=1)))
            outputs.append(self.h2o(hidden))
        return torch.stack(outputs, dim=0)


sequence_length = 256
batch_size = 8
input_size = 1024
hidden_size = 256
output_size = 128


def get_inputs():
    return [
        torch.rand(sequence_length, batch_size, input_size),
        torch.rand(batch_size, hidden_size),
    ]


def get_init_inputs():
    return [input_size, hidden_size, output_size]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
