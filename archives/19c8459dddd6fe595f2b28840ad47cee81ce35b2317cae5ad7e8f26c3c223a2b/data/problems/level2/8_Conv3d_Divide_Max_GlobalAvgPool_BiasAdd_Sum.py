import torch
import torch.nn as nn


class Model(nn.Module):
    """
    3D convolution divided by a constant, max pooling, global average pooling, a second bias per
    channel, and a sum over one axis.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, 1, 1, 1] with sum_dim = 1 (the channels).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple,
        divisor: float,
        pool_size: tuple,
        bias_shape: tuple,
        sum_dim: int,
    ):
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.divisor = divisor
        self.max_pool = nn.MaxPool3d(pool_size)
        self.global_avg_pool = nn.AdaptiveAvgPool3d((1, 1, 1))
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.sum_dim = sum_dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x) / self.divisor
        x = self.global_avg_pool(self.max_pool(x))
        return torch.sum(x + self.bias, dim=self.sum_dim)


batch_size = 128
in_channels = 8
out_channels = 16
depth = 16
height = 64
width = 64
kernel_size = (3, 3, 3)
divisor = 2.0
pool_size = (2, 2, 2)
sum_dim = 1


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [
        in_channels,
        out_channels,
        kernel_size,
        divisor,
        pool_size,
        (out_channels, 1, 1, 1),
        sum_dim,
    ]
