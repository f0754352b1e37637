import torch
import torch.nn as nn


class Model(nn.Module):
    """One of the outputs is the input, the other is not."""

    def forward(self, x):
        return x, torch.matmul(x, x.t())


rows = 16
columns = 4096


def get_inputs():
    return [torch.randn(rows, columns)]
