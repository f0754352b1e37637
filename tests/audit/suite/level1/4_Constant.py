import torch
import torch.nn as nn


class Model(nn.Module):
    """The same everywhere, whatever comes in."""

    def forward(self, x):
        return torch.zeros_like(x) + 3


rows = 16
columns = 64


def get_inputs():
    return [torch.rand(rows, columns)]
