import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Grouped three-dimensional transposed convolution, strided and padded, with a filter of three
    different sides.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, out_channels, output depth, output height, output width].
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple,
        stride: tuple,
        padding: tuple,
        output_padding: tuple,
        groups: int,
        bias: bool = False,
    ):
        super().__init__()
        self.conv_transpose3d = nn.ConvTranspose3d(
            in_channels,
            out_channels,
            kernel_size=kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
            groups=groups,
            bias=bias,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv_transpose3d(x)


batch_size = 8
in_channels = 32
out_channels = 32
depth = 12
height = 24
width = 48
kernel_size = (3, 5, 7)
stride = (2, 2, 2)
padding = (1, 2, 3)
output_padding = (1, 1, 1)
groups = 4


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, stride, padding, output_padding, groups]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
