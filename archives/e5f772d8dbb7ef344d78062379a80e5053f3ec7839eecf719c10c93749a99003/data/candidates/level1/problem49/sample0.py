"""Largest value along the middle axis, without the indices that torch.max() finds."""
import torch
import triton
import triton.language as tl


@triton.jit
def larger(a, b):
    """What is not a number wins, as in torch."""
    return tl.where((a > b) | (a != a), a, b)


@triton.jit
def largest(y, x, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    c = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    base = tl.program_id(1).to(tl.int64) * rows * columns
    best = tl.full((ROWS, COLUMNS), float("-inf"), tl.float32)
    for start in range(0, rows, ROWS):
        r = start + tl.arange(0, ROWS)
        at = r[:, None] * columns + c[None, :]
        mask = (r[:, None] < rows) & (c[None, :] < columns)
        best = larger(best, tl.load(x + base + at, mask=mask,
                                    other=float("-inf")))
    tl.store(y + tl.program_id(1) * columns + c, tl.reduce(best, 0, larger),
             mask=c < columns)


class ModelNew(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        if self.dim % x.dim() != 1 or x.dim() != 3:
            return torch.amax(x, dim=self.dim)
        batch, rows, columns = x.shape
        y = x.new_empty(batch, columns)
        largest[(triton.cdiv(columns, 128), batch)](
            y, x, rows, columns, ROWS=32, COLUMNS=128, num_warps=8)
        return y
