"""One is off by one."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        y = x.argmax(dim=-1)
        y[5] += 1
        return y
