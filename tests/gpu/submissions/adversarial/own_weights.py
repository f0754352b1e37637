# Weights under other names than the reference's are not copied from it: they are
# equal if the same numbers are drawn for them, whichever constructor they have.
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

WEIGHT = globals().get("WEIGHT", 0)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        make = (torch.Tensor, torch.empty, torch.FloatTensor)[WEIGHT]
        self.w = nn.Parameter(make(512, 1024))
        self.b = nn.Parameter(make(512))
        nn.init.kaiming_uniform_(self.w, a=math.sqrt(5))
        nn.init.uniform_(self.b, -1024 ** -0.5, 1024 ** -0.5)

    def forward(self, x):
        return F.linear(x, self.w, self.b)
