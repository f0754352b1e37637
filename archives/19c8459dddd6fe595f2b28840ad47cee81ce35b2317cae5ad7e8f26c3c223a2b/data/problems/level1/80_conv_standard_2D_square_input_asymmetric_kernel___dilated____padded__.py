import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Padded two-dimensional convolution of square images, dilated differently in each axis.

    x: [batch_size, in_channels, height, width];
    output: [batch_size, out_channels, output height, output width].
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple,
        stride: int,
        padding: tuple,
        dilation: tuple,
        bias: bool = False,
    ):
        super().__init__()
        self.conv2d = nn.Conv2d(
            in_channels,
            out_channels,
            kernel_size=kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            bias=bias,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv2d(x)


batch_size = 8
in_channels = 32
out_channels = 64
height = 512
width = 512
kernel_size = (5, 9)
stride = 1
padding = (2, 4)
dilation = (2, 3)


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, stride, padding, dilation]
