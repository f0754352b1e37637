"""The mean over a linear layer's outputs is a product with the mean of its weights.

mean(W x + b - s) is mean(W) x + mean(b - s), the means over W's rows, for all x, W,
b and s; and logsumexp of one number is that number. So W is read once, in place
of a product of 2048 by 8192 by 8192.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def column_sums(sums, weight, rows, columns, parts,
                ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    c = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    part = tl.program_id(1)
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for start in range(part * ROWS, rows, parts * ROWS):
        r = start + tl.arange(0, ROWS)
        mask = (r[:, None] < rows) & (c[None, :] < columns)
        total += tl.load(weight + r[:, None].to(tl.int64) * columns + c[None, :],
                         mask=mask, other=0.0)
    tl.store(sums + part * columns + c, tl.sum(total, axis=0),
             mask=c < columns)


@triton.jit
def mean_weights(means, sums, rows, columns,
                 PARTS: tl.constexpr, COLUMNS: tl.constexpr):
    c = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    p = tl.arange(0, PARTS)
    v = tl.load(sums + p[:, None] * columns + c[None, :],
                mask=c[None, :] < columns, other=0.0)
    tl.store(means + c, tl.sum(v, axis=0) / rows, mask=c < columns)


@triton.jit
def finish(y, x, means, bias, subtract, columns, outputs, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    offset = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, outputs, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < outputs
        offset += (tl.load(bias + at, mask=mask, other=0.0) -
                   tl.load(subtract + at, mask=mask, other=0.0))
    product = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < columns
        product += (tl.load(x + row * columns + at, mask=mask, other=0.0) *
                    tl.load(means + at, mask=mask, other=0.0))
    v = tl.sum(product, axis=0) + tl.sum(offset, axis=0) / outputs
    gelu = 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476))
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < columns
        tl.store(y + row * columns + at,
                 tl.load(x + row * columns + at, mask=mask) + gelu, mask=mask)


class ModelNew(torch.nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.gemm = torch.nn.Linear(in_features, out_features, bias=bias)
        self.subtract = torch.nn.Parameter(torch.randn(out_features))

    def forward(self, x):
        rows, columns = self.gemm.weight.shape
        parts = 16
        sums = x.new_empty(parts, columns)
        means = x.new_empty(columns)
        y = torch.empty_like(x)
        bias = self.gemm.bias
        if bias is None:
            bias = torch.zeros_like(self.subtract)
        column_sums[(triton.cdiv(columns, 128), parts)](
            sums, self.gemm.weight, rows, columns, parts, ROWS=32, COLUMNS=128,
            num_warps=8)
        mean_weights[(triton.cdiv(columns, 128),)](means, sums, rows, columns,
                                                   PARTS=parts, COLUMNS=128)
        finish[(x.shape[0],)](y, x, means, bias, self.subtract, columns, rows,
                              BLOCK=2048, num_warps=8)
        return y
