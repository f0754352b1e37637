import torch
import torch.nn as nn


class Model(nn.Module):
    """Few rows, so that most of the device is idle."""

    def forward(self, x):
        return torch.cumsum(x, 1)


def get_inputs():
    return [torch.rand(8, 65536)]


def get_init_inputs():
    return []
