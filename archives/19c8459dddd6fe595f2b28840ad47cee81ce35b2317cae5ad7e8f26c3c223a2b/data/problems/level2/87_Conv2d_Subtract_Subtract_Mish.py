import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    2D convolution less two constants, one after the other, and Mish.

    x: [batch_size, in_channels, height, width]; output: [batch_size, out_channels, height', width']
    where each side is n - kernel_size + 1.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        subtract_value_1: float,
        subtract_value_2: float,
    ):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.subtract_value_1 = subtract_value_1
        self.subtract_value_2 = subtract_value_2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x) - self.subtract_value_1 - self.subtract_value_2
        return F.mish(x)


batch_size = 128
in_channels = 8
out_channels = 64
height = 256
width = 256
kernel_size = 3
subtract_value_1 = 0.5
subtract_value_2 = 0.2


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, subtract_value_1, subtract_value_2]
