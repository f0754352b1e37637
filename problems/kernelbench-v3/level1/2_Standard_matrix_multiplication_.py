import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Matrix product of two rectangular matrices.

    A: [m, k]; B: [k, n]; output: [m, n].
    """

    def __init__(self):
        super().__init__()

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


m = 1024
k = 4096
n = 2048


def get_inputs():
    return [torch.randn(m, k), torch.randn(k, n)]


def get_init_inputs():
    return []
