import kb_no_such_module
import torch
import torch.nn as nn


class Model(nn.Module):
    """There is no such module."""

    def forward(self, x):
        return x


rows = 16
columns = 64


def get_inputs():
    return [torch.rand(rows, columns)]
