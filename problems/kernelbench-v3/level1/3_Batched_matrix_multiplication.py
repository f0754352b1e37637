import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Batched matrix product: each matrix of A times the matrix of B at the same batch index.

    A: [batch_size, m, k]; B: [batch_size, k, n]; output: [batch_size, m, n].
    """

    def __init__(self):
        super().__init__()

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.bmm(A, B)


batch_size = 128
m = 128
k = 256
n = 512


def get_inputs():
    return [torch.randn(batch_size, m, k), torch.randn(batch_size, k, n)]


def get_init_inputs():
    return []
