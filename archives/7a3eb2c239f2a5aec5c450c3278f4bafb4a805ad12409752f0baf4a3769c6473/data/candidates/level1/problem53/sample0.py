import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Smallest value along one axis, which is dropped.

    x: [batch_size, rows, columns]; output for dim 1: [batch_size, columns].

    A full-size minimum is over 4096 draws from [0, 1), so every output is near 2.4e-4.
    """

    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.min(x, dim=self.dim).values


batch_size = 128
rows = 4096
columns = 4095
dim = 1


def get_inputs():
    return [torch.rand(batch_size, rows, columns)]


def get_init_inputs():
    return [dim]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
