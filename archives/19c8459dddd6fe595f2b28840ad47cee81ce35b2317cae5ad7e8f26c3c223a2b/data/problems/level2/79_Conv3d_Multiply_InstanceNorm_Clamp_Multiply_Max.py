import torch
import torch.nn as nn


class Model(nn.Module):
    """
    3D convolution, instance normalization and clamp between two uses of one learned factor per
    channel, then the maximum over channels.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, depth', height', width'] where each side is n - kernel_size + 1.
    Of the first multiplication the normalization leaves only the sign, up to eps.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        multiplier_shape: tuple,
        clamp_min: float,
        clamp_max: float,
    ):
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.multiplier = nn.Parameter(torch.randn(multiplier_shape))
        self.instance_norm = nn.InstanceNorm3d(out_channels)
        self.clamp_min = clamp_min
        self.clamp_max = clamp_max

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.instance_norm(self.conv(x) * self.multiplier)
        x = torch.clamp(x, self.clamp_min, self.clamp_max)
        x = x * self.multiplier
        return torch.max(x, dim=1).values


batch_size = 128
in_channels = 3
out_channels = 16
depth = 16
height = 32
width = 32
kernel_size = 3
clamp_min = -1.0
clamp_max = 1.0


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, (out_channels, 1, 1, 1), clamp_min, clamp_max]
