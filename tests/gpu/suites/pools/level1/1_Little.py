import torch
import torch.nn as nn


class Model(nn.Module):
    """Fits an output pool of 64 MiB."""

    def forward(self, x):
        return torch.relu(x)


def get_inputs():
    return [torch.randn(1024, 1024)]


def get_init_inputs():
    return []
