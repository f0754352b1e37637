# expected: correct; sums the weights, not the outputs: one column is left
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, scale):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scale = scale

    def forward(self, x):
        weight = self.linear.weight.sum(dim=0)
        bias = self.linear.bias.sum()
        return torch.sigmoid((torch.mv(x, weight) + bias) * self.scale)[:, None]
