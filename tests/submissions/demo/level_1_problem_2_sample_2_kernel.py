# expected: correct; slower, every step in double precision
import math

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        wide = x.double()
        inner = math.sqrt(2.0 / math.pi) * (wide + 0.044715 * wide**3)
        return (0.5 * wide * (1.0 + torch.tanh(inner))).float()
