"""A rank's own part comes from the next rank."""

import torch
import torch.distributed as dist
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        rank, size = dist.get_rank(), dist.get_world_size()
        got = torch.empty_like(x)
        operations = [dist.P2POp(dist.isend, x, (rank + 1) % size),
                      dist.P2POp(dist.irecv, got, (rank - 1) % size)]
        for work in dist.batch_isend_irecv(operations):
            work.wait()
        return got


def get_inputs(rank):
    x = torch.randn(64, 64)
    dist.broadcast(x, 0)
    return [x]


def get_init_inputs():
    return []
