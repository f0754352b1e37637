import os
import torch
import torch.nn as nn


class Model(nn.Module):
    """Leaves by itself."""

    def forward(self, x):
        os._exit(3)


rows = 16
columns = 64


def get_inputs():
    return [torch.rand(rows, columns)]
