import torch
import triton
import triton.language as tl
from torch import nn


@triton.jit
def rms(x_ptr, weight_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + i, mask=i < n, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + i, mask=i < n)
    scale = tl.rsqrt(tl.sum(x * x, axis=0) / n + 1e-5)
    tl.store(y_ptr + row + i, x * scale * weight, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(features))

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.shape[-1]
        rms[(x.numel() // n,)](x, self.weight, y, n,
                               BLOCK=triton.next_power_of_2(n))
        return y
