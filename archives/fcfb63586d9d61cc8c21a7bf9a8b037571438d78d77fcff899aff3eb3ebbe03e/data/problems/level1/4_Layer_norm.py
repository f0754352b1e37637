import torch
import torch.nn as nn


class Model(nn.Module):
    """Layer normalisation over the last axis, with weight and bias."""

    def __init__(self, features: int, eps: float):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(features) + 0.5)
        self.bias = nn.Parameter(torch.randn(features))
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


rows = 128
features = 512
eps = 1e-5


def get_inputs():
    return [torch.randn(rows, features) * 2.0 + 1.0]


def get_init_inputs():
    return [features, eps]
