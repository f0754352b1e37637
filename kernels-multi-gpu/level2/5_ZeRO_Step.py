"""A step of Adam in two kernels: one writes each rank's part of the gradient into
the memory of that rank, and one takes the mean, steps, and writes the new
parameters into the memory of all ranks. PyTorch makes a kernel of each operation.
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
def send_parts(x, addresses, shard, rank, size, BLOCK: tl.constexpr):
    peer = (rank + 1 + tl.program_id(1)) % size
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + peer.to(tl.int64) * shard + at, at < shard)
    inbox = memory_of(addresses, peer, x) + tl.cast(rank, tl.int64) * shard
    tl.store(inbox + at, value, at < shard)


@triton.jit
def step(gradient, parameters, first, second, new_first, new_second, addresses,
         shard, rank, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    there = at < shard
    start = tl.cast(rank, tl.int64) * shard
    inboxes = memory_of(addresses, rank, gradient)
    total = tl.load(gradient + start + at, there).to(tl.float32)
    for i in tl.static_range(1, SIZE):
        peer = tl.cast((rank + i) % SIZE, tl.int64)
        total += tl.load(inboxes + peer * shard + at, there).to(tl.float32)
    mean = total / SIZE
    m = 0.9 * tl.load(first + at, there).to(tl.float32) + 0.1 * mean
    v = tl.load(second + at, there, other=1).to(tl.float32)
    v = 0.999 * v + 0.001 * mean * mean
    tl.store(new_first + at, m, there)
    tl.store(new_second + at, v, there)
    change = m / 0.1 / (tl.sqrt(v / 0.001) + 1e-8)
    p = tl.load(parameters + at, there).to(tl.float32) - 1e-3 * change
    p = p.to(parameters.dtype.element_ty)
    for i in tl.static_range(SIZE):
        gathered = memory_of(addresses, (rank + i) % SIZE, parameters)
        gathered += tl.cast(shard, tl.int64) * SIZE
        tl.store(gathered + start + at, p, there)


class ModelNew(nn.Module):
    shared = None

    def share(self, gradient):
        """Memory that all ranks write to: an inbox for each rank, and the
        parameters."""
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        self.shared = symmetric.empty(2, gradient.numel(),
                                      dtype=gradient.dtype,
                                      device=gradient.device)
        self.handle = symmetric.rendezvous(self.shared, dist.group.WORLD)
        self.addresses = torch.tensor(
            [self.handle.get_buffer(rank, self.shared.shape,
                                    gradient.dtype).data_ptr()
             for rank in range(self.size)], device=gradient.device)

    def forward(self, gradient, parameters, first, second):
        if self.shared is None:
            self.share(gradient)
        shard = parameters.numel()
        new_first, new_second = torch.empty_like(first), torch.empty_like(second)
        blocks = triton.cdiv(shard, BLOCK)
        send_parts[(blocks, self.size - 1)](
            gradient, self.addresses, shard, self.rank, self.size, BLOCK,
            num_warps=8)
        self.handle.barrier()
        step[(blocks,)](gradient, parameters, first, second, new_first,
                        new_second, self.addresses, shard, self.rank,
                        self.size, BLOCK, num_warps=8)
        self.handle.barrier()
        return self.shared[1], new_first, new_second
