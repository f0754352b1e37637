import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Stacked bidirectional GRU that returns the last layer's output at every step.

    x: [sequence_length, batch_size, input_size];
    h0: [2 * num_layers, batch_size, hidden_size];
    output: [sequence_length, batch_size, 2 * hidden_size].

    The constructor also draws a random state, a plain attribute h0, which is never read.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int,
        bias: bool = True,
        batch_first: bool = False,
    ):
        super().__init__()
        self.gru = nn.GRU(
            input_size,
            hidden_size,
            num_layers,
            bias=bias,
            batch_first=batch_first,
            bidirectional=True,
        )
        self.h0 = torch.randn(2 * num_layers, batch_size, hidden_size)

    def forward(self, x: torch.Tensor, h0: torch.Tensor) -> torch.Tensor:
        out, _ = self.gru(x, h0)
        return out


sequence_length = 512
batch_size = 10
input_size = 128
hidden_size = 256
num_layers = 6


def get_inputs():
    return [
        torch.rand(sequence_length, batch_size, input_size),
        torch.rand(2 * num_layers, batch_size, hidden_size),
    ]


def get_init_inputs():
    return [input_size, hidden_size, num_layers]
