import torch
import torch.nn as nn


class Model(nn.Module):
    """The shapes do not go together."""

    def forward(self, x):
        return torch.matmul(x, x)


rows = 16
columns = 64


def get_inputs():
    return [torch.rand(rows, columns)]
