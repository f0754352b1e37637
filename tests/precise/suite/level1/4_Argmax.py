"""Integers: exact under every policy, and no errors to speak of."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x.argmax(dim=-1)


def get_inputs():
    return [torch.randn(64, 256)]


def get_init_inputs():
    return []
