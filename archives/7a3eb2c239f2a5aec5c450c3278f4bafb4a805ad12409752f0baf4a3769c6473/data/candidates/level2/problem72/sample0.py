import torch
import torch.nn as nn


class Model(nn.Module):
    """
    3D transposed convolution, batch normalization and two average poolings by 2.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, out_channels, depth', height', width'] where each side is
    (n - 1) * stride - 2 * padding + kernel_size, halved twice and rounded down each time.

    The constructor takes bias_shape but does not use it: there is no bias besides the layers' own.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        bias_shape: tuple,
    ):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding
        )
        self.batch_norm = nn.BatchNorm3d(out_channels)
        self.avg_pool1 = nn.AvgPool3d(2)
        self.avg_pool2 = nn.AvgPool3d(2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.batch_norm(self.conv_transpose(x))
        return self.avg_pool2(self.avg_pool1(x))


batch_size = 64
in_channels = 3
out_channels = 16
depth = 32
height = 32
width = 32
kernel_size = 3
stride = 2
padding = 1


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, stride, padding, (out_channels, 1, 1, 1)]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
