import torch
import torch.nn as nn


class Model(nn.Module):
    """Only the weights reach the output."""

    def __init__(self, columns):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(columns))

    def forward(self, x):
        return torch.zeros_like(x) + self.weight


rows = 16
columns = 64


def get_inputs():
    return [torch.rand(rows, columns)]


def get_init_inputs():
    return [columns]
