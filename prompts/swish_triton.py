import torch
import triton
import triton.language as tl
from torch import nn


@triton.jit
def swish(x_ptr, y_ptr, scale, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = scale * x * tl.sigmoid(x.to(tl.float32))
    tl.store(y_ptr + i, y, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        swish[(triton.cdiv(n, 1024),)](x, y, self.scale, n, BLOCK=1024)
        return y
