import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Matrix product of two lower triangular matrices.

    A: [n, n], zero above the diagonal; B: likewise; output: [n, n], zero above the diagonal.
    """

    def __init__(self):
        super().__init__()

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.tril(torch.matmul(A, B))


n = 4096


def get_inputs():
    return [torch.tril(torch.rand(n, n)), torch.tril(torch.rand(n, n))]


def get_init_inputs():
    return []
