import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Stacked LSTM that returns the final hidden states of all layers.

    x: [batch_size, sequence_length, input_size]; h0, c0: [num_layers, batch_size, hidden_size];
    output: [num_layers, batch_size, hidden_size].

    The linear read-out of the last step is computed and its result dropped.
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int, output_size: int, dropout: float
    ):
        super().__init__()
        self.lstm = nn.LSTM(input_size, hidden_size, num_layers, batch_first=True, dropout=dropout)
        self.fc = nn.Linear(hidden_size, output_size)

    def forward(self, x: torch.Tensor, h0: torch.Tensor, c0: torch.Tensor) -> torch.Tensor:
        out, (h_n, c_n) = self.lstm(x, (h0, c0))
        self.fc(out[:, -1, :])
        return h_n


batch_size = 10
sequence_length = 512
input_size = 128
hidden_size = 256
num_layers = 6
output_size = 10
dropout = 0.0


def get_inputs():
    return [
        torch.rand(batch_size, sequence_length, input_size),
        torch.rand(num_layers, batch_size, hidden_size),
        torch.rand(num_layers, batch_size, hidden_size),
    ]


def get_init_inputs():
    return [input_size, hidden_size, num_layers, output_size, dropout]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
