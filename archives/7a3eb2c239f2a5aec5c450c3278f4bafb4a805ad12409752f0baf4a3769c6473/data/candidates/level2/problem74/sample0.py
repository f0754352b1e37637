import torch
import torch.nn as nn


class Model(nn.Module):
    """
    3D transposed convolution, leaky ReLU, a learned factor per channel, leaky ReLU, max pooling.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, out_channels, depth', height', width'] where each side is half of
    (n - 1) * stride - 2 * padding + kernel_size + output_padding, rounded down. Both activations
    have slope 0.2 below zero.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        output_padding: int,
        multiplier_shape: tuple,
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
        self.multiplier = nn.Parameter(torch.randn(multiplier_shape))
        self.leaky_relu = nn.LeakyReLU(negative_slope=0.2)
        self.max_pool = nn.MaxPool3d(2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.leaky_relu(self.conv_transpose(x))
        x = self.leaky_relu(x * self.multiplier)
        return self.max_pool(x)


batch_size = 16
in_channels = 16
out_channels = 32
depth = 16
height = 32
width = 32
kernel_size = 3
stride = 2
padding = 1
output_padding = 1


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        output_padding,
        (out_channels, 1, 1, 1),
    ]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
