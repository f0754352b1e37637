# x sigmoid(x), in Triton
import torch
import triton
import triton.language as tl


@triton.jit
def swish(y, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    value = tl.load(x + at, mask=mask)
    tl.store(y + at, value / (1.0 + tl.exp(-value)), mask=mask)


class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        swish[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
        return y
