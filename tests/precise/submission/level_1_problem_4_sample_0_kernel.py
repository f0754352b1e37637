"""By sorting."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        return x.sort(dim=-1, descending=True).indices[:, 0].clone()
