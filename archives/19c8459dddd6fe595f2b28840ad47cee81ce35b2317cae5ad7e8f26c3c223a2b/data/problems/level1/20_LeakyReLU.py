import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    Elementwise leaky rectifier: x where x is positive, negative_slope * x elsewhere.

    x: [batch_size, features]; output: the same shape.

    The inputs lie in [0, 1), where the operation is the identity.
    """

    def __init__(self, negative_slope: float = 0.01):
        super().__init__()
        self.negative_slope = negative_slope

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.leaky_relu(x, negative_slope=self.negative_slope)


batch_size = 4096
features = 393216


def get_inputs():
    return [torch.rand(batch_size, features)]


def get_init_inputs():
    return []
