# expected: inputs_modified; works in place to save an allocation
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, exponent, offset):
        return x.pow_(exponent).add_(offset)
