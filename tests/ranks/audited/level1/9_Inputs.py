"""Rank 1 has an input more than rank 0."""

import torch
import torch.distributed as dist
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, *rest):
        total = x.clone()
        dist.all_reduce(total)
        return total


def get_inputs(rank):
    return [torch.randn(8, 8)] * (1 + rank)


def get_init_inputs():
    return []
