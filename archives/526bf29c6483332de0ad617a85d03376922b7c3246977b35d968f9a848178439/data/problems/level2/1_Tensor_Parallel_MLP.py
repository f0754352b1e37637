"""Two linear layers with GELU between them, sharded by columns and by rows. The
replicated input comes from rank 0."""

import torch
import torch.distributed as dist
import torch.nn as nn

ROWS = 4096
WIDTH = 4096
HIDDEN = 16384


class Model(nn.Module):
    def __init__(self, rank, world_size):
        super().__init__()
        up = torch.randn(WIDTH, HIDDEN) / WIDTH**0.5
        down = torch.randn(HIDDEN, WIDTH) / HIDDEN**0.5
        self.up = nn.Parameter(up.chunk(world_size, 1)[rank].contiguous())
        self.down = nn.Parameter(down.chunk(world_size, 0)[rank].contiguous())

    def forward(self, x):
        x = x.clone()
        dist.broadcast(x, 0)
        out = nn.functional.gelu(x @ self.up) @ self.down
        dist.all_reduce(out)
        return out


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return []
