"""A candidate for native/scale.c."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(7))
        self.bias = nn.Parameter(torch.zeros(7))

    def forward(self, x, index, mask):
        return (x * self.weight + self.bias[index][:, None],
                mask.sum(dtype=torch.int32))
