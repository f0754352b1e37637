import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Strided, dilated max pooling of volumes.

    x: [batch_size, channels, depth, height, width]; output: [batch_size, channels, pooled depth,
    pooled height, pooled width].
    """

    def __init__(
        self,
        kernel_size: int,
        stride: int,
        padding: int,
        dilation: int,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ):
        super().__init__()
        self.maxpool = nn.MaxPool3d(
            kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            return_indices=return_indices,
            ceil_mode=ceil_mode,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.maxpool(x)


batch_size = 16
channels = 32
depth = 128
height = 128
width = 128
kernel_size = 3
stride = 2
padding = 1
dilation = 3


def get_inputs():
    return [torch.rand(batch_size, channels, depth, height, width)]


def get_init_inputs():
    return [kernel_size, stride, padding, dilation]
