import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    3D transposed convolution plus a second input; the sum s becomes s * hardswish(s).

    x: [batch_size, in_channels, depth, height, width];
    add_input: [batch_size, out_channels, depth * stride, height * stride, width * stride];
    output: the shape of add_input.

    The parameter bias exists but is not used.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        output_padding: int,
        bias_shape: tuple,
    ):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
        )
        self.bias = nn.Parameter(torch.randn(bias_shape))

    def forward(self, x: torch.Tensor, add_input: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x) + add_input
        return x * F.hardswish(x)


batch_size = 128
in_channels = 32
out_channels = 64
depth = 16
height = 16
width = 16
kernel_size = 3
stride = 2
padding = 1
output_padding = 1


def get_inputs():
    return [
        torch.rand(batch_size, in_channels, depth, height, width),
        torch.rand(batch_size, out_channels, depth * stride, height * stride, width * stride),
    ]


def get_init_inputs():
    return [
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        output_padding,
        (out_channels, 1, 1, 1, 1),
    ]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
