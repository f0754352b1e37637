import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Division of a tensor by its Frobenius norm.

    x: [batch_size, channels, height, width]; output: the same shape.

    One norm is taken over the whole tensor, batch included; at full size every output is below
    about 4e-5.
    """

    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x / torch.norm(x, p="fro")


batch_size = 112
channels = 64
height = 512
width = 512


def get_inputs():
    return [torch.rand(batch_size, channels, height, width)]


def get_init_inputs():
    return []
