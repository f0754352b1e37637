import torch
import torch.nn as nn

N = 4096


class Model(nn.Module):
    def forward(self, x):
        return x + 0.1 * torch.randn_like(x)


def get_inputs():
    return [torch.randn(N, N)]


def get_init_inputs():
    return []
