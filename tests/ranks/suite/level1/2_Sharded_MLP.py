"""Two linear layers, of which each rank has a shard; all ranks have the same x."""

import torch
import torch.distributed as dist
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, width, hidden, rank, world_size):
        super().__init__()
        up, down = torch.randn(width, hidden), torch.randn(hidden, width)
        self.up = nn.Parameter(up.chunk(world_size, 1)[rank].contiguous())
        self.group = dist.new_group()
        self.down = nn.Parameter(down.chunk(world_size, 0)[rank].contiguous())

    def forward(self, x):
        x = x.clone()
        dist.broadcast(x, 0)
        partial = torch.relu(x @ self.up) @ self.down / 16
        dist.all_reduce(partial, group=self.group)
        return partial


ROWS, WIDTH, HIDDEN = 32, 48, 96


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, HIDDEN]
