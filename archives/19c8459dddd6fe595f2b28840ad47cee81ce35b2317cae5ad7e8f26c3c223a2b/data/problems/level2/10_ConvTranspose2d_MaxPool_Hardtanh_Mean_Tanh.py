import torch
import torch.nn as nn


class Model(nn.Module):
    """
    2D transposed convolution, max pooling, clipping (hardtanh), mean over each image, tanh.

    x: [batch_size, in_channels, height, width]; output: [batch_size, out_channels, 1, 1].
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        maxpool_kernel_size: int,
        maxpool_stride: int,
        hardtanh_min: float,
        hardtanh_max: float,
    ):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose2d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding
        )
        self.maxpool = nn.MaxPool2d(maxpool_kernel_size, stride=maxpool_stride)
        self.hardtanh = nn.Hardtanh(min_val=hardtanh_min, max_val=hardtanh_max)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.maxpool(self.conv_transpose(x))
        x = self.hardtanh(x)
        return torch.tanh(torch.mean(x, dim=(2, 3), keepdim=True))


batch_size = 128
in_channels = 64
out_channels = 64
height = 256
width = 256
kernel_size = 3
stride = 1
padding = 1
maxpool_kernel_size = 2
maxpool_stride = 2
hardtanh_min = -1
hardtanh_max = 1


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        maxpool_kernel_size,
        maxpool_stride,
        hardtanh_min,
        hardtanh_max,
    ]
