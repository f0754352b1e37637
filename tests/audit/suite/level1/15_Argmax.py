import torch
import torch.nn as nn


class Model(nn.Module):
    """Numbers that must be exact."""

    def forward(self, x):
        return torch.argmax(x, dim=1)


rows = 64
columns = 64


def get_inputs():
    return [torch.randn(rows, columns)]
