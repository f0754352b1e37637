"""Running sums from the end of rows, read backwards in place of two flips."""
import torch
import triton
import triton.language as tl


@triton.jit
def reverse_sums(y, x, columns, pieces, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * columns
    after = 0.0
    for piece in range(pieces):
        at = (pieces - 1 - piece) * BLOCK + tl.arange(0, BLOCK)
        mask = at < columns
        v = tl.load(x + base + at, mask=mask, other=0.0)
        tl.store(y + base + at, tl.cumsum(v, axis=0, reverse=True) + after,
                 mask=mask)
        after += tl.sum(v, axis=0)


class ModelNew(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x.movedim(self.dim, -1).contiguous()
        y = torch.empty_like(x)
        columns = x.shape[-1]
        reverse_sums[(x.numel() // columns,)](
            y, x, columns, triton.cdiv(columns, 4096), BLOCK=4096, num_warps=8)
        return y.movedim(-1, self.dim)
