"""Off by less than a tolerance of 1e-4."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        return x * 2 + 2e-5
