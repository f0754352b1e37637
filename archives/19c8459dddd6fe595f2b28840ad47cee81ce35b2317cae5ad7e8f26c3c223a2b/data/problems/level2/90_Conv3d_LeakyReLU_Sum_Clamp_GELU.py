import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    3D convolution, leaky ReLU, a learned term per channel, clamp to [-1, 1] and GELU.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, out_channels, depth', height', width'] where each side is
    n - kernel_size + 1. The activation has slope 0.2 below zero.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        sum_tensor_shape: tuple,
    ):
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.sum_tensor = nn.Parameter(torch.randn(sum_tensor_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.leaky_relu(self.conv(x), negative_slope=0.2)
        x = torch.clamp(x + self.sum_tensor, min=-1.0, max=1.0)
        return F.gelu(x)


batch_size = 128
in_channels = 8
out_channels = 64
depth = 16
height = 64
width = 64
kernel_size = 3


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, (out_channels, 1, 1, 1)]
