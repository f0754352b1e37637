import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Depthwise two-dimensional convolution of wide images: groups is in_channels.

    x: [batch_size, in_channels, height, width];
    output: [batch_size, out_channels, output height, output width].

    out_channels must be a multiple of in_channels.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        bias: bool = False,
    ):
        super().__init__()
        self.conv2d = nn.Conv2d(
            in_channels,
            out_channels,
            kernel_size=kernel_size,
            stride=stride,
            padding=padding,
            groups=in_channels,
            bias=bias,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv2d(x)


batch_size = 64
in_channels = 128
out_channels = 128
height = 256
width = 512
kernel_size = 3
stride = 1
padding = 0


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, stride, padding]
