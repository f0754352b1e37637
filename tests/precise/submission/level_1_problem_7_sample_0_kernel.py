"""The same."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        y = x * 1
        y[0, 0] = 10000
        return y
