import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Sum over one axis, which stays as an axis of size 1.

    x: [batch_size, rows, columns]; output for dim 1: [batch_size, 1, columns].
    """

    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sum(x, dim=self.dim, keepdim=True)


batch_size = 128
rows = 4096
columns = 4095
dim = 1


def get_inputs():
    return [torch.rand(batch_size, rows, columns)]


def get_init_inputs():
    return [dim]
