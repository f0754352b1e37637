import torch
import torch.nn as nn


class Model(nn.Module):
    """
    2D convolution, ReLU, and hard swish written out: v * clamp((v + 3) / 6, 0, 1).

    x: [batch_size, in_channels, height, width]; output: [batch_size, out_channels, height', width']
    where each side is n - kernel_size + 1. Behind the ReLU the lower bound of the clamp never acts.
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: int):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.conv(x))
        return x * torch.clamp((x + 3) / 6, 0, 1)


batch_size = 128
in_channels = 8
out_channels = 64
height = 128
width = 128
kernel_size = 3


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size]
