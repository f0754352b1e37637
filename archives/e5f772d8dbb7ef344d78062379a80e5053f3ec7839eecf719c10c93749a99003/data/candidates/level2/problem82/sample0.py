"""Convolution without its bias; all that follows in one reading of what it gives.

A program has some pooled pixels of a channel and goes through their windows.
"""
import torch
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def larger(a, b):
    """What is not a number wins, as in torch."""
    return tl.where((a > b) | (a != a), a, b)


@triton.jit
def pooled(y, x, conv_bias, bias, channels, height, width, pooled_width, count,
           factor, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    plane = tl.program_id(1)
    c = plane % channels
    own = tl.load(conv_bias + c)
    added = tl.load(bias + c)
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    top = o // pooled_width * SIZE
    left = o % pooled_width * SIZE
    base = plane.to(tl.int64) * height * width
    best = tl.full((BLOCK,), float("-inf"), tl.float32)
    for i in tl.static_range(SIZE):
        for j in tl.static_range(SIZE):
            v = tl.load(x + base + (top + i) * width + left + j,
                        mask=o < count, other=0.0) + own
            # tanh(u) is 2 sigmoid(2u) - 1.
            v = (2.0 / (1.0 + tl.exp(-2.0 * v)) - 1.0) * factor + added
            best = larger(v, best)
    tl.store(y + plane.to(tl.int64) * count + o, best, mask=o < count)


class ModelNew(torch.nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, scaling_factor,
                 bias_shape, pool_kernel_size):
        super().__init__()
        self.conv = torch.nn.Conv2d(in_channels, out_channels, kernel_size)
        self.scaling_factor = scaling_factor
        self.bias = torch.nn.Parameter(torch.randn(bias_shape))
        self.size = pool_kernel_size

    def forward(self, x):
        x = F.conv2d(x, self.conv.weight)
        batch, channels, height, width = x.shape
        y = x.new_empty(batch, channels, height // self.size, width // self.size)
        count = y.shape[2] * y.shape[3]
        pooled[(triton.cdiv(count, 256), batch * channels)](
            y, x, self.conv.bias, self.bias, channels, height, width,
            y.shape[3], count, self.scaling_factor, SIZE=self.size, BLOCK=256)
        return y
