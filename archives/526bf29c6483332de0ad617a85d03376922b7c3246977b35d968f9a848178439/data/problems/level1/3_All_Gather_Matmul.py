"""A linear layer whose input is sharded by rows and whose weight is sharded by
columns: each rank gathers all rows."""

import torch
import torch.distributed as dist
import torch.nn as nn

ROWS = 8192
WIDTH = 4096
COLUMNS = 8192


class Model(nn.Module):
    def __init__(self, rank, world_size):
        super().__init__()
        weight = torch.randn(WIDTH, COLUMNS) / WIDTH**0.5
        shard = weight.chunk(world_size, 1)[rank]
        self.weight = nn.Parameter(shard.contiguous())

    def forward(self, x):
        parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, x)
        return torch.cat(parts) @ self.weight


def get_inputs(world_size):
    return [torch.randn(ROWS // world_size, WIDTH)]


def get_init_inputs():
    return []
