import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(features))

    def forward(self, x):
        square = x.pow(2).mean(dim=-1, keepdim=True)
        return x * torch.rsqrt(square + 1e-5) * self.weight


def get_inputs():
    return [torch.randn(2048, 1024)]


def get_init_inputs():
    return [1024]
