"""Running sums of what a mask keeps, in one pass."""
import torch
import triton
import triton.language as tl


@triton.jit
def masked_sums(y, x, kept, columns, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * columns
    before = 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < columns
        v = tl.load(x + base + at, mask=mask, other=0.0)
        k = tl.load(kept + base + at, mask=mask, other=0)
        v = v * k.to(tl.float32)
        tl.store(y + base + at, tl.cumsum(v, axis=0) + before, mask=mask)
        before += tl.sum(v, axis=0)


class ModelNew(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x, mask):
        x = x.movedim(self.dim, -1).contiguous()
        mask = mask.movedim(self.dim, -1).contiguous().view(torch.uint8)
        y = torch.empty_like(x)
        columns = x.shape[-1]
        masked_sums[(x.numel() // columns,)](y, x, mask, columns, BLOCK=4096,
                                             num_warps=8)
        return y.movedim(-1, self.dim)
