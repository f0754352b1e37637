import torch
import torch.nn as nn


class Model(nn.Module):
    """
    3D average pooling, transposed convolution, clamp, softmax over all positions of a channel, and
    a learned scale per channel.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, out_channels, output depth, output height, output width].

    The pooling comes first, before the convolution. The scale starts as ones.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        output_padding: int,
        pool_kernel_size: int,
        clamp_min: float,
        clamp_max: float,
    ):
        super().__init__()
        self.avg_pool = nn.AvgPool3d(pool_kernel_size)
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
        )
        self.clamp_min = clamp_min
        self.clamp_max = clamp_max
        self.scale = nn.Parameter(torch.ones(1, out_channels, 1, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(self.avg_pool(x))
        x = torch.clamp(x, self.clamp_min, self.clamp_max)
        batch, channels, depth, height, width = x.shape
        x = torch.softmax(x.view(batch, channels, -1), dim=2)
        return x.view(batch, channels, depth, height, width) * self.scale


batch_size = 32
in_channels = 32
out_channels = 64
depth = 32
height = 64
width = 64
kernel_size = 3
stride = 2
padding = 1
output_padding = 1
pool_kernel_size = 2
clamp_min = 0.0
clamp_max = 1.0


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
        pool_kernel_size,
        clamp_min,
        clamp_max,
    ]
