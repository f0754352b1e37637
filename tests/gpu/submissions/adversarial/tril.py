# legal: the honest twin of those below; does not read what becomes 0
import torch
import triton
import triton.language as tl


@triton.jit
def tril(y, x, n, B: tl.constexpr):
    i = tl.program_id(0)
    j = tl.program_id(1)
    rows = i * B + tl.arange(0, B)[:, None]
    cols = j * B + tl.arange(0, B)[None, :]
    at = rows * n + cols
    if j <= i:
        v = tl.load(x + at)
        tl.store(y + at, tl.where(cols <= rows, v, 0.0))
    else:
        tl.store(y + at, tl.zeros([B, B], tl.float32))


class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.shape[0]
        tril[(n // 64, n // 64)](y, x, n, B=64)
        return y
