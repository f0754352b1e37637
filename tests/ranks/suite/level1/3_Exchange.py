"""Rank r gets row r of every rank's x, scaled, and how many there are; outputs of
different ranks have different shapes."""

import torch
import torch.distributed as dist
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, width, rank):
        super().__init__()
        self.width, self.rank = width, rank

    def forward(self, x, scale):
        size = dist.get_world_size()
        got = torch.empty_like(x)
        dist.all_to_all_single(got, x)
        return got * scale, torch.full((size + self.rank,), size,
                                       device=x.device)


WIDTH = 40


def get_inputs(rank, world_size):
    return [torch.randn(world_size, WIDTH), torch.rand(1) + rank]


def get_init_inputs():
    return [WIDTH]
