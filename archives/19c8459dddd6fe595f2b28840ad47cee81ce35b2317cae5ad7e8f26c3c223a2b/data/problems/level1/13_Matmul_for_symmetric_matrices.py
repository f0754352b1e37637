import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Matrix product of two symmetric matrices.

    A: [n, n], symmetric; B: [n, n], symmetric; output: [n, n], in general not symmetric.
    """

    def __init__(self):
        super().__init__()

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


n = 4096


def get_inputs():
    u = torch.rand(n, n)
    v = torch.rand(n, n)
    return [(u + u.T) / 2, (v + v.T) / 2]


def get_init_inputs():
    return []
