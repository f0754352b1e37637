import torch
import torch.nn as nn


class Model(nn.Module):
    """The product of two square matrices and a narrow one, from the left."""

    def __init__(self):
        super().__init__()

    def forward(self, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
        return torch.matmul(torch.matmul(a, b), c)


size = 256
width = 8


def get_inputs():
    return [
        torch.randn(size, size),
        torch.randn(size, size),
        torch.randn(size, width) / size,
    ]


def get_init_inputs():
    return []
