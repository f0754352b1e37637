import torch
import torch.nn as nn


class Model(nn.Module):
    """
    3D transposed convolution without bias, ReLU and group normalization.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, out_channels, depth', height', width'] where each side is
    n + kernel_size - 1.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        groups: int,
        bias: bool,
    ):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(in_channels, out_channels, kernel_size, bias=bias)
        self.relu = nn.ReLU()
        self.group_norm = nn.GroupNorm(groups, out_channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.relu(self.conv_transpose(x))
        return self.group_norm(x)


batch_size = 16
in_channels = 64
out_channels = 128
depth = 32
height = 32
width = 32
kernel_size = 3
groups = 8
bias = False


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, groups, bias]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
