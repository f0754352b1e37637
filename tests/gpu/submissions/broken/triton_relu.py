# rejected; Triton does not know a function, which it says at the first launch
import torch
import triton
import triton.language as tl


@triton.jit
def relu(y, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(y + at, tl.no_such_function(tl.load(x + at, mask=mask)), mask=mask)


class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        relu[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
        return y
