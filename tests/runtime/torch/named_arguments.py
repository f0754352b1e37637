import torch
import torch.nn as nn


class Model(nn.Module):
    """Made by arguments by position and by name."""

    def __init__(self, features, pair, *, scale):
        super().__init__()
        assert pair == ([1], {"a": 2})
        self.linear = nn.Linear(features, features)
        self.scale = scale

    def forward(self, x):
        return self.linear(x) * self.scale


class ModelNew(Model):
    pass


def get_inputs():
    return [torch.rand(4, 5)]


def get_init_inputs():
    return [[5, ([1], {"a": 2})], {"scale": 3}]
