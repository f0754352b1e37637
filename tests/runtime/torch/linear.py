"""The plainest problem: one input, one output, parameters."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)

    def forward(self, x):
        return self.linear(x)


def get_inputs():
    return [torch.rand(6, 5)]


def get_init_inputs():
    return [5, 3]
