import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Linear layer, group normalization, and swish before and after a learned factor per feature.

    x: [batch_size, in_features]; output: [batch_size, out_features].
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        num_groups: int,
        multiply_weight_shape: tuple,
    ):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.group_norm = nn.GroupNorm(num_groups, out_features)
        self.multiply_weight = nn.Parameter(torch.randn(multiply_weight_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.group_norm(self.gemm(x))
        x = x * torch.sigmoid(x)
        x = x * self.multiply_weight
        return x * torch.sigmoid(x)


batch_size = 1024
in_features = 8192
out_features = 8192
num_groups = 256


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, num_groups, (out_features,)]
