import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Linear layer, group normalization, the minimum of each row, and a bias that widens the result.

    x: [batch_size, in_features]; output: [1, out_features, batch_size, 1]. The row minima
    [batch_size, 1] and the bias [1, out_features, 1, 1] broadcast against each other, so every pair
    of row and feature gets a value.
    """

    def __init__(self, in_features: int, out_features: int, num_groups: int, bias_shape: tuple):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.group_norm = nn.GroupNorm(num_groups, out_features)
        self.bias = nn.Parameter(torch.randn(bias_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.group_norm(self.gemm(x))
        x = torch.min(x, dim=1, keepdim=True).values
        return x + self.bias


batch_size = 1024
in_features = 8192
out_features = 8192
num_groups = 512


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, num_groups, (1, out_features, 1, 1)]
