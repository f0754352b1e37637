import torch
import torch.nn as nn


class Model(nn.Module):
    """A recurrent cell step by step; returns its outputs and last states."""

    def __init__(self, in_features: int, hidden_features: int):
        super().__init__()
        self.input = nn.Linear(in_features, 4 * hidden_features)
        self.hidden = nn.Linear(hidden_features, 4 * hidden_features)

    def forward(self, x: torch.Tensor, h: torch.Tensor, c: torch.Tensor) -> dict:
        steps = []
        for t in range(x.size(1)):
            gates = self.input(x[:, t]) + self.hidden(h)
            i, f, g, o = gates.chunk(4, dim=1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            steps.append(h)
        return {"outputs": torch.stack(steps, dim=1), "states": (h, c)}


batch_size = 8
length = 8
in_features = 64
hidden_features = 64


def get_inputs():
    return [
        torch.randn(batch_size, length, in_features),
        torch.randn(batch_size, hidden_features),
        torch.randn(batch_size, hidden_features),
    ]


def get_init_inputs():
    return [in_features, hidden_features]
