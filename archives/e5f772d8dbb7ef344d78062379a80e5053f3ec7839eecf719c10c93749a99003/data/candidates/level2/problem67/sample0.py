"""Convolution without its bias; bias, GELU and the mean of an image in one reading."""
import torch
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def means(y, x, bias, channels, pixels, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    b = tl.load(bias + plane % channels)
    base = plane.to(tl.int64) * pixels
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, pixels, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < pixels
        v = tl.load(x + base + at, mask=mask, other=0.0) + b
        gelu = 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476))
        total += tl.where(mask, gelu, 0.0)
    tl.store(y + plane, tl.sum(total, axis=0) / pixels)


class ModelNew(torch.nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv = torch.nn.Conv2d(in_channels, out_channels, kernel_size)

    def forward(self, x):
        x = F.conv2d(x, self.conv.weight)
        batch, channels, height, width = x.shape
        y = x.new_empty(batch, channels)
        means[(batch * channels,)](y, x, self.conv.bias, channels,
                                   height * width, BLOCK=2048, num_warps=8)
        return y
