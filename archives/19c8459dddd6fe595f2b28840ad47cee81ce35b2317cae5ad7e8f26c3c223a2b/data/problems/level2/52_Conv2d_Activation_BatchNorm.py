import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    2D convolution, Mish written out as tanh(softplus(v)) * v, and batch normalization.

    x: [batch_size, in_channels, height, width]; output: [batch_size, out_channels, height', width']
    where each side is n - kernel_size + 1.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
    ):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.bn = nn.BatchNorm2d(out_channels, eps=eps, momentum=momentum)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        x = torch.multiply(torch.tanh(F.softplus(x)), x)
        return self.bn(x)


batch_size = 64
in_channels = 64
out_channels = 128
height = 128
width = 128
kernel_size = 3


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size]
