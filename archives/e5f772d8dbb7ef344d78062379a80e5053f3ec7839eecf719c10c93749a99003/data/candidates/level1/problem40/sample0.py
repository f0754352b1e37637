"""Layer normalisation of few, long rows, by all of the device.

The reference gives each of the 16 rows to one thread block. Here the first
kernel finds mean and squared deviations of pieces of rows, the second merges
them, as Chan, Golub and LeVeque do, and normalises a piece of all rows, so that
weight and bias are read once.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def moments(means, deviations, x, columns, pieces, BLOCK: tl.constexpr):
    piece = tl.program_id(0)
    row = tl.program_id(1)
    at = piece * BLOCK + tl.arange(0, BLOCK)
    mask = at < columns
    v = tl.load(x + row.to(tl.int64) * columns + at, mask=mask, other=0.0)
    count = tl.minimum(columns - piece * BLOCK, BLOCK)
    mean = tl.sum(v, axis=0) / count
    off = tl.where(mask, v - mean, 0.0)
    tl.store(means + row * pieces + piece, mean)
    tl.store(deviations + row * pieces + piece, tl.sum(off * off, axis=0))


@triton.jit
def merge(merged, means, deviations, columns, pieces, eps,
          BLOCK: tl.constexpr, PIECES: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, PIECES)
    mask = at < pieces
    counts = tl.where(mask, tl.minimum(columns - at * BLOCK, BLOCK), 0)
    m = tl.load(means + row * pieces + at, mask=mask, other=0.0)
    d = tl.load(deviations + row * pieces + at, mask=mask, other=0.0)
    mean = tl.sum(m * counts, axis=0) / columns
    off = m - mean
    variance = (tl.sum(d, axis=0) + tl.sum(off * off * counts, axis=0)) / columns
    tl.store(merged + 2 * row, mean)
    tl.store(merged + 2 * row + 1, 1.0 / tl.sqrt(variance + eps))


@triton.jit
def normalise(y, x, merged, weight, bias, rows, columns, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < columns
    w = tl.load(weight + at, mask=mask)
    b = tl.load(bias + at, mask=mask)
    for row in range(rows):
        mean = tl.load(merged + 2 * row)
        scale = tl.load(merged + 2 * row + 1)
        v = tl.load(x + at, mask=mask)
        tl.store(y + at, (v - mean) * scale * w + b, mask=mask)
        x += columns
        y += columns


class ModelNew(torch.nn.Module):
    def __init__(self, normalized_shape):
        super().__init__()
        self.ln = torch.nn.LayerNorm(normalized_shape)

    def forward(self, x):
        columns = self.ln.weight.numel()
        rows = x.numel() // columns
        block = 4096
        pieces = triton.cdiv(columns, block)
        means = x.new_empty(rows, pieces)
        deviations = x.new_empty(rows, pieces)
        merged = x.new_empty(rows, 2)
        y = torch.empty_like(x)
        moments[(pieces, rows)](means, deviations, x, columns, pieces,
                                BLOCK=block, num_warps=8)
        merge[(rows,)](merged, means, deviations, columns, pieces, self.ln.eps,
                       BLOCK=block, PIECES=triton.next_power_of_2(pieces))
        normalise[(triton.cdiv(columns, 1024),)](
            y, x, merged, self.ln.weight, self.ln.bias, rows, columns,
            BLOCK=1024)
        return y
