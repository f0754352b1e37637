import torch
import torch.nn as nn


class Model(nn.Module):
    """
    3D transposed convolution, a constant factor, batch normalization and global average pooling.

    x: [batch_size, in_channels, depth, height, width]; output: [batch_size, out_channels, 1, 1, 1].
    The normalization uses the batch's own statistics and so takes the factor out again, up to eps.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        scale_factor: float,
        eps: float = 1e-5,
        momentum: float = 0.1,
    ):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(in_channels, out_channels, kernel_size)
        self.scale_factor = scale_factor
        self.batch_norm = nn.BatchNorm3d(out_channels, eps=eps, momentum=momentum)
        self.global_avg_pool = nn.AdaptiveAvgPool3d((1, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x) * self.scale_factor
        return self.global_avg_pool(self.batch_norm(x))


batch_size = 16
in_channels = 64
out_channels = 128
depth = 16
height = 32
width = 32
kernel_size = 5
scale_factor = 2.0


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, scale_factor]
