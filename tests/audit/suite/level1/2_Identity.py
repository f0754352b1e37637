import torch
import torch.nn as nn


class Model(nn.Module):
    """What it does to inputs that are not negative is nothing."""

    def forward(self, x):
        return torch.relu(x)


rows = 16
columns = 64


def get_inputs():
    return [torch.rand(rows, columns)]
