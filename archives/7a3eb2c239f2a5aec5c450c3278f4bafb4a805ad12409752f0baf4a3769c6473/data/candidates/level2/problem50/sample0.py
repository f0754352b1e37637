import torch
import torch.nn as nn


class Model(nn.Module):
    """
    3D transposed convolution times a learned scalar, 2x2x2 average pooling, a second bias per
    channel, times another learned scalar.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, out_channels, pooled depth, pooled height, pooled width].
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        scale1: float,
        scale2: float,
        bias_shape: tuple,
    ):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding
        )
        self.scale1 = nn.Parameter(torch.tensor(scale1))
        self.avg_pool = nn.AvgPool3d(kernel_size=2)
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.scale2 = nn.Parameter(torch.tensor(scale2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.avg_pool(self.conv_transpose(x) * self.scale1)
        return (x + self.bias) * self.scale2


batch_size = 128
in_channels = 3
out_channels = 16
depth = 16
height = 32
width = 32
kernel_size = 3
stride = 2
padding = 1
scale1 = 0.5
scale2 = 1.0


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        scale1,
        scale2,
        (out_channels, 1, 1, 1),
    ]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
