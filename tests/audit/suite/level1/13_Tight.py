import torch
import torch.nn as nn


class Model(nn.Module):
    """Most digits of the input do not survive the detour."""

    def forward(self, x):
        return (x + 1e5) - 1e5


rows = 16
columns = 64


def get_inputs():
    return [torch.randn(rows, columns)]
