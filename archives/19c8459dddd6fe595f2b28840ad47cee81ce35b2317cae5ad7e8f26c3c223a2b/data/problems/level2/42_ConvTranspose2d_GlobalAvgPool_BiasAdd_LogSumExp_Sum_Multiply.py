import torch
import torch.nn as nn


class Model(nn.Module):
    """
    2D transposed convolution, mean over each image, a second bias per channel, logsumexp over the
    channels, times ten.

    x: [batch_size, in_channels, height, width]; output: [batch_size, 1].

    The sum over height and width before the factor only drops two axes of length one.
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: int, bias_shape: tuple):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose2d(in_channels, out_channels, kernel_size)
        self.bias = nn.Parameter(torch.randn(bias_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.mean(self.conv_transpose(x), dim=(2, 3), keepdim=True)
        x = torch.logsumexp(x + self.bias, dim=1, keepdim=True)
        return torch.sum(x, dim=(2, 3)) * 10.0


batch_size = 16
in_channels = 64
out_channels = 128
height = 512
width = 512
kernel_size = 3


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, (out_channels, 1, 1)]
