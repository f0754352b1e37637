"""Convolution without its bias; bias, both constants and Mish become one kernel."""
import torch
import torch.nn.functional as F


@torch.compile
def finish(x, bias, offset):
    return F.mish(x + (bias - offset).view(1, -1, 1, 1))


class ModelNew(torch.nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, subtract_value_1,
                 subtract_value_2):
        super().__init__()
        self.conv = torch.nn.Conv2d(in_channels, out_channels, kernel_size)
        self.offset = subtract_value_1 + subtract_value_2

    def forward(self, x):
        return finish(F.conv2d(x, self.conv.weight), self.conv.bias, self.offset)
