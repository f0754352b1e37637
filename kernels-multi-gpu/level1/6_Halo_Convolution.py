"""The convolution of a band by itself, with zeros around it, while its first and
last row go into the memory of the neighbours; then the first and last row of the
result again, with the neighbours' rows. The image is not copied into a larger one.
"""

import torch
import torch.distributed as dist
import torch.distributed._symmetric_memory as symmetric
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def send_rows(x, addresses, rows, columns, rank, size, BLOCK: tl.constexpr):
    """The first row of each plane to the neighbour above, the last one to the
    neighbour below."""
    plane, side = tl.program_id(0), tl.program_id(1)
    peer = rank - 1 + 2 * side
    if (peer >= 0) & (peer < size):
        at = tl.arange(0, BLOCK)
        row = plane.to(tl.int64) * rows + side * (rows - 1)
        value = tl.load(x + row * columns + at, at < columns)
        to = tl.load(addresses + peer)
        to = to.to(tl.pointer_type(x.dtype.element_ty))
        to += ((1 - side) * tl.num_programs(0) + plane) * columns
        tl.store(to + at, value, at < columns)


class ModelNew(nn.Module):
    shared = None

    def __init__(self, rank, world_size):
        super().__init__()
        channels = 64
        self.rank, self.size = rank, world_size
        self.convolution = nn.Conv2d(channels, channels, 3, padding=(0, 1))

    def share(self, x):
        """Memory that neighbours write to: the row above, and the row below."""
        images, channels, _, columns = x.shape
        self.shared = symmetric.empty(2, images, channels, 1, columns,
                                      dtype=x.dtype, device=x.device)
        self.handle = symmetric.rendezvous(self.shared, dist.group.WORLD)
        self.addresses = torch.tensor(
            [self.handle.get_buffer(rank, self.shared.shape,
                                    x.dtype).data_ptr()
             for rank in range(self.size)], device=x.device)

    def forward(self, x):
        if self.shared is None:
            self.share(x)
        images, channels, rows, columns = x.shape
        weight, bias = self.convolution.weight, self.convolution.bias
        send_rows[(images * channels, 2)](
            x, self.addresses, rows, columns, self.rank, self.size,
            triton.next_power_of_2(columns), num_warps=8)
        out = F.conv2d(x, weight, bias, padding=1)
        self.handle.barrier()
        if self.rank:
            top = torch.cat((self.shared[0], x[:, :, :2]), 2)
            out[:, :, :1] = F.conv2d(top, weight, bias, padding=(0, 1))
        if self.rank + 1 < self.size:
            bottom = torch.cat((x[:, :, -2:], self.shared[1]), 2)
            out[:, :, -1:] = F.conv2d(bottom, weight, bias, padding=(0, 1))
        self.handle.barrier()
        return out
