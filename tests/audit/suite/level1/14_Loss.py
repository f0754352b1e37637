import torch
import torch.nn as nn


class Model(nn.Module):
    """One number, much the same for every input."""

    def forward(self, x, y):
        return torch.mean((x - y) ** 2)


rows = 100
columns = 1000


def get_inputs():
    return [torch.rand(rows, columns), torch.rand(rows, columns)]
