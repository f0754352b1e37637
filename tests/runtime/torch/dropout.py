"""Chance in forward(), and inputs from generators that we do not replace."""

import random

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(0.5)

    def forward(self, x):
        return self.dropout(x) + torch.rand(4, 256) + random.random()


def get_inputs():
    return [torch.empty(4, 256).uniform_() + torch.randperm(256)
            + random.random()]


def get_init_inputs():
    return []
