import torch
import torch.nn as nn


class Model(nn.Module):
    """The input is lost in the weights, but not quite."""

    def __init__(self, columns):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(columns))

    def forward(self, x):
        return self.weight + 3e-5 * x


rows = 16
columns = 64


def get_inputs():
    return [torch.rand(rows, columns)]


def get_init_inputs():
    return [columns]
