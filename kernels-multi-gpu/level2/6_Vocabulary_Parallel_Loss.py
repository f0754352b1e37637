"""The cross entropy in one pass over the logits: the maximum, the sum and the
target's own logit of a row go into the memory of all ranks, and each rank puts
them together. PyTorch reads the logits three times, and writes their exponentials.
"""

import torch
import torch.distributed as dist
import torch.distributed._symmetric_memory as symmetric
import torch.nn as nn
import triton
import triton.language as tl

BLOCK = 8192


@triton.jit
def memory_of(addresses, rank):
    return tl.load(addresses + rank).to(tl.pointer_type(tl.float32))


@triton.jit
def look_at_rows(logits, target, addresses, rows, columns, rank,
                 SIZE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    logits += row.to(tl.int64) * columns
    highest = tl.full((), -3e38, tl.float32)
    total = tl.zeros((), tl.float32)
    for start in range(0, columns, BLOCK):
        value = tl.load(logits + start + at, start + at < columns,
                        other=float("-inf")).to(tl.float32)
        new = tl.maximum(highest, tl.max(value, 0))
        total = total * tl.exp(highest - new) + tl.sum(tl.exp(value - new), 0)
        highest = new
    mine = tl.load(target + row) - tl.cast(rank, tl.int64) * columns
    is_mine = (mine >= 0) & (mine < columns)
    own = tl.load(logits + mine, is_mine, other=0).to(tl.float32)
    for i in tl.static_range(SIZE):
        table = memory_of(addresses, (rank + i) % SIZE) + rank * 3 * rows + row
        tl.store(table, highest)
        tl.store(table + rows, total)
        tl.store(table + 2 * rows, own)


@triton.jit
def put_together(table, out, rows, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    there = at < rows
    highest = tl.full((BLOCK,), -3e38, tl.float32)
    for i in tl.static_range(SIZE):
        highest = tl.maximum(highest, tl.load(table + 3 * i * rows + at, there))
    total = tl.zeros((BLOCK,), tl.float32)
    own = tl.zeros((BLOCK,), tl.float32)
    for i in tl.static_range(SIZE):
        part = table + 3 * i * rows + at
        scale = tl.exp(tl.load(part, there) - highest)
        total += scale * tl.load(part + rows, there)
        own += tl.load(part + 2 * rows, there)
    tl.store(out + at, tl.log(total) + highest - own, there)


class ModelNew(nn.Module):
    table = None

    def __init__(self, rank, world_size):
        super().__init__()
        self.rank, self.size = rank, world_size

    def share(self, logits, target):
        """Memory that all ranks write to: the rows' numbers of each rank, and
        the target."""
        rows = logits.shape[0]
        self.table = symmetric.empty(self.size * 3 * rows, device=logits.device,
                                     dtype=torch.float32)
        self.handle = symmetric.rendezvous(self.table, dist.group.WORLD)
        self.addresses = torch.tensor(
            [self.handle.get_buffer(rank, self.table.shape,
                                    torch.float32).data_ptr()
             for rank in range(self.size)], device=logits.device)
        self.target = symmetric.empty(rows, dtype=target.dtype,
                                      device=target.device)
        handle = symmetric.rendezvous(self.target, dist.group.WORLD)
        self.targets = [handle.get_buffer(rank, target.shape, target.dtype)
                        for rank in range(self.size)]

    def forward(self, logits, target):
        if self.table is None:
            self.share(logits, target)
        rows, columns = logits.shape
        if not self.rank:
            for there in self.targets:
                there.copy_(target)
        self.handle.barrier()
        look_at_rows[(rows,)](logits, self.target, self.addresses, rows, columns,
                              self.rank, self.size, BLOCK, num_warps=8)
        self.handle.barrier()
        out = logits.new_empty(rows)
        put_together[(triton.cdiv(rows, 256),)](self.table, out, rows,
                                                self.size, 256)
        return out
