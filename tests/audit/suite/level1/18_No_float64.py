import torch
import torch.nn as nn


class Model(nn.Module):
    """Stays float32, whatever it is asked for."""

    def forward(self, x, scale):
        return (x * scale).float().exp()


rows = 16
columns = 64


def get_inputs():
    return [torch.randn(rows, columns), 0.5]
