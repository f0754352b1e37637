"""Inputs are the same in every draw."""

import torch
import torch.distributed as dist
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        total = x.clone()
        dist.all_reduce(total)
        return total


def get_inputs(rank):
    return [torch.full((64, 64), rank + 1.0)]


def get_init_inputs():
    return []
