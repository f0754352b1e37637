import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Running sum along one axis.

    x: [batch_size, features]; output: the same shape.
    """

    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cumsum(x, dim=self.dim)


batch_size = 32768
features = 32768
dim = 1


def get_inputs():
    return [torch.rand(batch_size, features)]


def get_init_inputs():
    return [dim]
