from typing import Optional

import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Average pooling of images over disjoint windows.

    x: [batch_size, channels, height, width]; output: [batch_size, channels,
    height // kernel_size, width // kernel_size].

    A stride of None stands for kernel_size; pixels past the last full window are dropped.
    """

    def __init__(self, kernel_size: int, stride: Optional[int] = None, padding: int = 0):
        super().__init__()
        self.avg_pool = nn.AvgPool2d(kernel_size, stride=stride, padding=padding)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.avg_pool(x)


batch_size = 16
channels = 64
height = 2048
width = 2048
kernel_size = 11


def get_inputs():
    return [torch.rand(batch_size, channels, height, width)]


def get_init_inputs():
    return [kernel_size]
