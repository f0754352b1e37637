"""Mean over the middle axis: a program has some columns and walks over the rows."""
import torch
import triton
import triton.language as tl


@triton.jit
def means(y, x, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    c = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    base = tl.program_id(1).to(tl.int64) * rows * columns
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for start in range(0, rows, ROWS):
        r = start + tl.arange(0, ROWS)
        at = r[:, None] * columns + c[None, :]
        mask = (r[:, None] < rows) & (c[None, :] < columns)
        total += tl.load(x + base + at, mask=mask, other=0.0)
    tl.store(y + tl.program_id(1) * columns + c, tl.sum(total, axis=0) / rows,
             mask=c < columns)


class ModelNew(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        if self.dim % x.dim() != 1 or x.dim() != 3:
            return torch.mean(x, dim=self.dim)
        batch, rows, columns = x.shape
        y = x.new_empty(batch, columns)
        means[(triton.cdiv(columns, 128), batch)](
            y, x, rows, columns, ROWS=32, COLUMNS=128, num_warps=8)
        return y
