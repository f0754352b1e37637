import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Matrix product with a large output and a short inner dimension.

    A: [m, k]; B: [k, n]; output: [m, n].
    """

    def __init__(self):
        super().__init__()

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


m = 32768
k = 64
n = 32768


def get_inputs():
    return [torch.rand(m, k), torch.rand(k, n)]


def get_init_inputs():
    return []
