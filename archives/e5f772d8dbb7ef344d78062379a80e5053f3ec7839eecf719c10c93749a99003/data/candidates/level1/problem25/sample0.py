"""x sigmoid(x) in one pass; the reference makes two, of five transfers."""
import torch
import triton
import triton.language as tl


@triton.jit
def swish(y, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    v = tl.load(x + at, mask=mask)
    tl.store(y + at, v / (1.0 + tl.exp(-v)), mask=mask)


class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        swish[(triton.cdiv(n, 2048),)](y, x, n, BLOCK=2048)
        return y
