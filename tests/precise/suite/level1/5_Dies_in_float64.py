"""The reference is started again, and judges without an fp64 error."""

import os

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        if x.dtype == torch.float64:
            os._exit(3)
        return x * 2


def get_inputs():
    return [torch.randn(64, 256)]


def get_init_inputs():
    return []
