import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Exclusive running sum along one axis: every entry is the sum of all before it.

    x: [batch_size, features]; output: the same shape, zero at the start of the axis.
    """

    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        sums = torch.cumsum(x.narrow(self.dim, 0, x.size(self.dim) - 1), dim=self.dim)
        first = torch.zeros_like(x.select(self.dim, 0).unsqueeze(self.dim))
        return torch.cat([first, sums], dim=self.dim)


batch_size = 32768
features = 32768
dim = 1


def get_inputs():
    return [torch.rand(batch_size, features)]


def get_init_inputs():
    return [dim]
