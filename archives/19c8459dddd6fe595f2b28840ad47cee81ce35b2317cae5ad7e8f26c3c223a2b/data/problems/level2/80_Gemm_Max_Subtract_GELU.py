import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    Linear layer, the maximum along one axis, its mean over axis 1 subtracted, and GELU.

    x: [batch_size, in_features]; output: [batch_size, 1] for max_dim = 1. Each row then holds one
    value when its mean is taken, so the difference, and with it the output, is always zero.
    """

    def __init__(self, in_features: int, out_features: int, max_dim: int):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.max_dim = max_dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.max(self.gemm(x), dim=self.max_dim, keepdim=True).values
        x = x - x.mean(dim=1, keepdim=True)
        return F.gelu(x)


batch_size = 1024
in_features = 8192
out_features = 8192
max_dim = 1


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, max_dim]
