import torch
import torch.nn as nn


class Model(nn.Module):
    """Inputs are below 1, so nothing is left."""

    def forward(self, x):
        return torch.relu(x - 2)


rows = 16
columns = 64


def get_inputs():
    return [torch.rand(rows, columns)]
