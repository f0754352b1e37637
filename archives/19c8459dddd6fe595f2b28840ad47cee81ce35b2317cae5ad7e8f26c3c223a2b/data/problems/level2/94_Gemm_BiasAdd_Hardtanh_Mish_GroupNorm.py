import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Linear layer plus a separate bias, Hardtanh, Mish and group normalization.

    x: [batch_size, in_features]; output: [batch_size, out_features]. The linear layer keeps its own
    bias too.
    """

    def __init__(self, in_features: int, out_features: int, bias_shape: tuple, num_groups: int):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.hardtanh = nn.Hardtanh()
        self.mish = nn.Mish()
        self.groupnorm = nn.GroupNorm(num_groups, out_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.gemm(x) + self.bias
        x = self.mish(self.hardtanh(x))
        return self.groupnorm(x)


batch_size = 1024
in_features = 8192
out_features = 8192
num_groups = 256


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, (out_features,), num_groups]
