"""Rows divided by their Euclidean norm: the second reading hits the L2 cache.

One program for each multiprocessor walks over the rows, so that all rows that
are under way, 132 of 256 KiB, fit into the cache together.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def l2_norm(y, x, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    while row < rows:
        base = row.to(tl.int64) * columns
        squares = tl.zeros((BLOCK,), tl.float32)
        for start in range(0, columns, BLOCK):
            at = start + tl.arange(0, BLOCK)
            v = tl.load(x + base + at, mask=at < columns, other=0.0,
                        eviction_policy="evict_last")
            squares += v * v
        norm = tl.sqrt(tl.sum(squares, axis=0))
        for start in range(0, columns, BLOCK):
            at = start + tl.arange(0, BLOCK)
            v = tl.load(x + base + at, mask=at < columns, other=0.0,
                        eviction_policy="evict_first")
            tl.store(y + base + at, v / norm, mask=at < columns,
                     eviction_policy="evict_first")
        row += tl.num_programs(0)


def processors(x):
    return torch.cuda.get_device_properties(x.device).multi_processor_count


class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        rows, columns = x.shape
        l2_norm[(min(rows, processors(x)),)](y, x, rows, columns, BLOCK=8192,
                                             num_warps=32)
        return y
