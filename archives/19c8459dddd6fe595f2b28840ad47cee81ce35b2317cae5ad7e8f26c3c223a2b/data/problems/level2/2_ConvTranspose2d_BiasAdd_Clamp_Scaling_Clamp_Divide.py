import torch
import torch.nn as nn


class Model(nn.Module):
    """
    2D transposed convolution, second bias per channel, then a clamp to [0, 1] before and after
    multiplying by scaling_factor, which is divided out at the end.

    x: [batch_size, in_channels, height, width];
    output: [batch_size, out_channels, output height, output width].
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        output_padding: int,
        bias_shape: tuple,
        scaling_factor: float,
    ):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose2d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
        )
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x) + self.bias
        x = torch.clamp(x, min=0.0, max=1.0)
        x = torch.clamp(x * self.scaling_factor, min=0.0, max=1.0)
        return x / self.scaling_factor


batch_size = 128
in_channels = 64
out_channels = 64
height = 128
width = 128
kernel_size = 3
stride = 2
padding = 1
output_padding = 1
scaling_factor = 2.0


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        output_padding,
        (out_channels, 1, 1),
        scaling_factor,
    ]
