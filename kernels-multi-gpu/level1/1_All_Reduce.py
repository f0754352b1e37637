"""The sum over all ranks in two steps, both of which write into the memory of other
ranks: each rank gets its part of all inputs and adds them, and sends its part of
the sum to all. Writes across NVLink wait for no answer, and a rank waits for the
others twice.
"""

import torch
import torch.distributed as dist
import torch.distributed._symmetric_memory as symmetric
import torch.nn as nn
import triton
import triton.language as tl

BLOCK = 4096


@triton.jit
def memory_of(addresses, rank, like):
    address = tl.load(addresses + rank)
    return tl.multiple_of(address.to(tl.pointer_type(like.dtype.element_ty)),
                          16)


@triton.jit
def send_parts(x, addresses, count, part, rank, size, BLOCK: tl.constexpr):
    peer = (rank + 1 + tl.program_id(1)) % size
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    whole = peer.to(tl.int64) * part + at
    there = (at < part) & (whole < count)
    value = tl.load(x + whole, there)
    inbox = memory_of(addresses, peer, x) + tl.cast(rank, tl.int64) * part
    tl.store(inbox + at, value, there)


@triton.jit
def add_and_send(x, addresses, count, part, rank, SIZE: tl.constexpr,
                 BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    whole = tl.cast(rank, tl.int64) * part + at
    there = (at < part) & (whole < count)
    inboxes = memory_of(addresses, rank, x)
    total = tl.load(x + whole, there).to(tl.float32)
    for i in tl.static_range(1, SIZE):
        peer = tl.cast((rank + i) % SIZE, tl.int64)
        total += tl.load(inboxes + peer * part + at, there).to(tl.float32)
    value = total.to(x.dtype.element_ty)
    for i in tl.static_range(SIZE):
        sums = memory_of(addresses, (rank + i) % SIZE, x)
        tl.store(sums + tl.cast(part, tl.int64) * SIZE + whole, value, there)


class ModelNew(nn.Module):
    shared = None

    def share(self, x):
        """Memory that all ranks write to: an inbox for each rank, and the sum."""
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        self.part = triton.cdiv(x.numel(), 16 * self.size) * 16
        self.shared = symmetric.empty(2 * self.size * self.part,
                                      dtype=x.dtype, device=x.device)
        self.handle = symmetric.rendezvous(self.shared, dist.group.WORLD)
        self.addresses = torch.tensor(
            [self.handle.get_buffer(rank, self.shared.shape,
                                    x.dtype).data_ptr()
             for rank in range(self.size)], device=x.device)

    def forward(self, x):
        if self.shared is None:
            self.share(x)
        blocks = triton.cdiv(self.part, BLOCK)
        place = x, self.addresses, x.numel(), self.part, self.rank
        send_parts[(blocks, self.size - 1)](*place, self.size, BLOCK,
                                            num_warps=8)
        self.handle.barrier()
        add_and_send[(blocks,)](*place, self.size, BLOCK, num_warps=8)
        self.handle.barrier()
        sums = self.shared[self.size * self.part:]
        return sums[:x.numel()].view_as(x)
