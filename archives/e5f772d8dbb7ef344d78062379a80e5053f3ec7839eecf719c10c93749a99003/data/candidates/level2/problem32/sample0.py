"""Convolution without its bias; bias, factor and minimum over channels in one."""
import torch
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def smaller(a, b):
    """What is not a number wins, as in torch."""
    return tl.where((a < b) | (a != a), a, b)


@triton.jit
def least(y, x, bias, channels, pixels, factor,
          CHANNELS: tl.constexpr, PIXELS: tl.constexpr):
    c = tl.arange(0, CHANNELS)[:, None]
    p = tl.program_id(0) * PIXELS + tl.arange(0, PIXELS)
    mask = (c < channels) & (p < pixels)[None, :]
    at = (tl.program_id(1).to(tl.int64) * channels + c) * pixels + p[None, :]
    v = tl.load(x + at, mask=mask, other=0.0)
    v = (v + tl.load(bias + c, mask=c < channels, other=0.0)) * factor
    v = tl.reduce(tl.where(c < channels, v, float("inf")), 0, smaller)
    tl.store(y + tl.program_id(1).to(tl.int64) * pixels + p, v,
             mask=p < pixels)


class ModelNew(torch.nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, scale_factor):
        super().__init__()
        self.conv = torch.nn.Conv2d(in_channels, out_channels, kernel_size)
        self.scale_factor = scale_factor

    def forward(self, x):
        x = F.conv2d(x, self.conv.weight)
        batch, channels, height, width = x.shape
        y = x.new_empty(batch, 1, height, width)
        least[(triton.cdiv(height * width, 32), batch)](
            y, x, self.conv.bias, channels, height * width, self.scale_factor,
            CHANNELS=triton.next_power_of_2(channels), PIXELS=32)
        return y
