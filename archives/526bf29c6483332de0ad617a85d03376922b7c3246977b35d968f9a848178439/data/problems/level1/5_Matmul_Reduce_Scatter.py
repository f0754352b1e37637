"""A linear layer whose weight is sharded by rows. Each rank keeps its rows of the
sum of partial products, as in sequence parallelism."""

import torch
import torch.distributed as dist
import torch.nn as nn

ROWS = 8192
WIDTH = 8192
COLUMNS = 4096


class Model(nn.Module):
    def __init__(self, rank, world_size):
        super().__init__()
        weight = torch.randn(WIDTH, COLUMNS) / WIDTH**0.5
        shard = weight.chunk(world_size, 0)[rank]
        self.weight = nn.Parameter(shard.contiguous())

    def forward(self, x):
        product = x @ self.weight
        mine = product.new_empty(ROWS // dist.get_world_size(), COLUMNS)
        dist.reduce_scatter_tensor(mine, product)
        return mine


def get_inputs(world_size):
    return [torch.randn(ROWS, WIDTH // world_size)]


def get_init_inputs():
    return []
