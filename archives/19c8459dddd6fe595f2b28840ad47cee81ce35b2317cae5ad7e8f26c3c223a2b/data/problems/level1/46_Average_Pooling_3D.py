import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Strided average pooling of volumes.

    x: [batch_size, channels, depth, height, width]; output: [batch_size, channels, pooled depth,
    pooled height, pooled width].

    Padded zeros count: every window is divided by kernel_size cubed.
    """

    def __init__(self, kernel_size: int, stride: int, padding: int):
        super().__init__()
        self.avg_pool = nn.AvgPool3d(kernel_size, stride=stride, padding=padding)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.avg_pool(x)


batch_size = 16
channels = 32
depth = 128
height = 128
width = 256
kernel_size = 3
stride = 2
padding = 1


def get_inputs():
    return [torch.rand(batch_size, channels, depth, height, width)]


def get_init_inputs():
    return [kernel_size, stride, padding]
