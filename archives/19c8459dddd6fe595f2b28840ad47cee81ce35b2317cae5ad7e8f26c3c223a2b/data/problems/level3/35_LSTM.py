import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Stacked LSTM with a linear read-out of the last step.

    x: [batch_size, sequence_length, input_size]; output: [batch_size, output_size].

    The initial hidden and cell states are drawn from a normal distribution in every call, the
    hidden one first, so two calls on the same input differ.
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int, output_size: int, dropout: float
    ):
        super().__init__()
        self.num_layers = num_layers
        self.hidden_size = hidden_size
        self.lstm = nn.LSTM(input_size, hidden_size, num_layers, batch_first=True, dropout=dropout)
        self.fc = nn.Linear(hidden_size, output_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch = x.shape[0]
        h0 = torch.randn(self.num_layers, batch, self.hidden_size, device=x.device, dtype=x.dtype)
        c0 = torch.randn(self.num_layers, batch, self.hidden_size, device=x.device, dtype=x.dtype)
        out, _ = self.lstm(x, (h0, c0))
        return self.fc(out[:, -1, :])


batch_size = 10
sequence_length = 512
input_size = 128
hidden_size = 256
num_layers = 6
output_size = 10
dropout = 0.0


def get_inputs():
    return [torch.rand(batch_size, sequence_length, input_size)]


def get_init_inputs():
    return [input_size, hidden_size, num_layers, output_size, dropout]
