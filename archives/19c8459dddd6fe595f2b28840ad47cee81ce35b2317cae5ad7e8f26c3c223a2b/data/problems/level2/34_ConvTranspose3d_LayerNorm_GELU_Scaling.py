import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    3D transposed convolution, layer normalisation, GELU, times a constant.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, out_channels, output depth, output height, output width].

    The normalisation of length out_channels runs along the last axis (width), not along the
    channels; it fits only because the output of the convolution is as wide as it has channels.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        bias: bool,
        eps: float,
        scaling_factor: float,
    ):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding, bias=bias
        )
        self.layer_norm = nn.LayerNorm(out_channels, eps=eps)
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.layer_norm(self.conv_transpose(x))
        return F.gelu(x) * self.scaling_factor


batch_size = 32
in_channels = 32
out_channels = 64
depth = 16
height = 32
width = 32
kernel_size = 4
stride = 2
padding = 1
bias = True
eps = 1e-5
scaling_factor = 1.0


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, stride, padding, bias, eps, scaling_factor]
