# expected: correct; whole and half powers by products and one square root
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, exponent, offset):
        whole = int(exponent)
        if exponent - whole == 0.5 and 1 <= whole <= 3:
            y = torch.sqrt(x)
            for _ in range(whole):
                y.mul_(x)
            return y.add_(offset)
        return torch.pow(x, exponent).add_(offset)
