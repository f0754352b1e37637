import torch
import torch.nn as nn


class Model(nn.Module):
    """
    2D convolution, capped from above by a constant, a second bias per channel, times a constant.

    x: [batch_size, in_channels, height, width];
    output: [batch_size, out_channels, height - kernel_size + 1, width - kernel_size + 1].
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        constant_value: float,
        bias_shape: tuple,
        scaling_factor: float,
    ):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.constant_value = constant_value
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = torch.min(x, x.new_full((), self.constant_value))
        return (x + self.bias) * self.scaling_factor


batch_size = 128
in_channels = 64
out_channels = 128
height = 128
width = 128
kernel_size = 3
constant_value = 0.5
scaling_factor = 2.0


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [
        in_channels,
        out_channels,
        kernel_size,
        constant_value,
        (out_channels, 1, 1),
        scaling_factor,
    ]
