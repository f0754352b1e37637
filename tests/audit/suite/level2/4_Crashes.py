import ctypes
import torch
import torch.nn as nn


class Model(nn.Module):
    """Reads where there is nothing."""

    def forward(self, x):
        return ctypes.string_at(0)


rows = 16
columns = 64


def get_inputs():
    return [torch.rand(rows, columns)]
