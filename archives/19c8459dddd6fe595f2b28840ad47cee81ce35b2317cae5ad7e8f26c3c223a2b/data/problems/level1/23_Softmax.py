import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Softmax of every row.

    x: [batch_size, features]; output: the same shape.

    A full-size row has 393216 entries, so every output is near 2.5e-6.
    """

    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x, dim=1)


batch_size = 4096
features = 393216


def get_inputs():
    return [torch.rand(batch_size, features)]


def get_init_inputs():
    return []
