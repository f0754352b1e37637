import torch
import torch.nn as nn


class Model(nn.Module):
    """
    2D transposed convolution, a second bias per channel subtracted, tanh.

    x: [batch_size, in_channels, height, width];
    output: [batch_size, out_channels, output height, output width].
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        bias_shape: tuple,
        stride: int = 2,
        padding: int = 1,
        output_padding: int = 1,
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

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.conv_transpose(x) - self.bias)


batch_size = 32
in_channels = 64
out_channels = 64
height = 256
width = 256
kernel_size = 4


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, (out_channels, 1, 1)]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
