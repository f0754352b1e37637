import torch
import torch.nn as nn


class Model(nn.Module):
    """So many shares that each is next to nothing."""

    def forward(self, x):
        return torch.softmax(x, dim=1)


rows = 2
columns = 100000


def get_inputs():
    return [torch.rand(rows, columns)]
