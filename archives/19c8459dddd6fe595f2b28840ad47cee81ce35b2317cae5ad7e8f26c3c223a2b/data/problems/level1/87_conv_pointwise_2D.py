import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Pointwise (1x1) convolution of images: a linear map of the channels of every pixel.

    x: [batch_size, in_channels, height, width]; output: [batch_size, out_channels, height, width].

    The attribute is named conv1d, but it is a two-dimensional convolution.
    """

    def __init__(self, in_channels: int, out_channels: int, bias: bool = False):
        super().__init__()
        self.conv1d = nn.Conv2d(in_channels, out_channels, kernel_size=1, bias=bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv1d(x)


batch_size = 16
in_channels = 64
out_channels = 128
height = 1024
width = 1024


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels]
