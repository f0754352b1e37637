import torch
import torch.nn as nn


class Model(nn.Module):
    """How many are above a half: near a half, for every input."""

    def forward(self, x):
        return (x > 0.5).to(x.dtype).mean(dim=1)


rows = 8
columns = 65536


def get_inputs():
    return [torch.rand(rows, columns)]
