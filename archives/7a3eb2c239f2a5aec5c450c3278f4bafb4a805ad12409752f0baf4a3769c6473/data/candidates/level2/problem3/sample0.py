import torch
import torch.nn as nn


class Model(nn.Module):
    """
    3D transposed convolution, a learned scalar offset, layer normalisation, average pooling, GELU.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, out_channels, pooled depth, pooled height, pooled width].

    The normalisation runs along the last axis (width), not along the channels; norm_shape fits it
    only because the output of the convolution is as wide as it has channels. It also cancels the
    offset.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple,
        stride: tuple,
        padding: tuple,
        output_padding: tuple,
        sum_weight: float,
        norm_shape: tuple,
        pool_kernel_size: tuple,
    ):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
        )
        self.sum_weight = nn.Parameter(torch.tensor(sum_weight))
        self.norm = nn.LayerNorm(norm_shape)
        self.avg_pool = nn.AvgPool3d(kernel_size=pool_kernel_size)
        self.gelu = nn.GELU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x) + self.sum_weight
        x = self.avg_pool(self.norm(x))
        return self.gelu(x)


batch_size = 32
in_channels = 32
out_channels = 64
depth = 16
height = 32
width = 32
kernel_size = (3, 3, 3)
stride = (2, 2, 2)
padding = (1, 1, 1)
output_padding = (1, 1, 1)
sum_weight = 1.0
pool_kernel_size = (2, 2, 2)


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        output_padding,
        sum_weight,
        (out_channels,),
        pool_kernel_size,
    ]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
