import torch
import torch.nn as nn


class Model(nn.Module):
    """
    2D transposed convolution, batch normalisation, tanh, 2x2 max pooling, group normalisation.

    x: [batch_size, in_channels, height, width];
    output: [batch_size, out_channels, pooled height, pooled width].

    The constructor takes groups but does not use it: the convolution is not grouped. num_groups is
    that of the group normalisation.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        groups: int,
        num_groups: int,
    ):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose2d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding
        )
        self.batch_norm = nn.BatchNorm2d(out_channels)
        self.tanh = nn.Tanh()
        self.max_pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.group_norm = nn.GroupNorm(num_groups, out_channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.batch_norm(self.conv_transpose(x))
        x = self.max_pool(self.tanh(x))
        return self.group_norm(x)


batch_size = 512
in_channels = 64
out_channels = 128
height = 32
width = 32
kernel_size = 5
stride = 1
padding = 1
groups = 8
num_groups = 8


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, stride, padding, groups, num_groups]
