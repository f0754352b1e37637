import torch
import torch.nn as nn


class Model(nn.Module):
    """Remembers how often it was called."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x / (1 + self.calls)


rows = 16
columns = 64


def get_inputs():
    return [torch.randn(rows, columns)]
