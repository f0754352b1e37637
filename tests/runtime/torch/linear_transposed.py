"""Right, in memory that is not in C order."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)

    def forward(self, x):
        rows = self.linear(x)
        columns = torch.empty(rows.shape[1], rows.shape[0])
        columns.copy_(rows.t())
        return columns.t()
