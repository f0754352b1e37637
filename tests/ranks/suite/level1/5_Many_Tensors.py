"""More tensors of all ranks together than one process may have."""

import torch
import torch.distributed as dist
import torch.nn as nn

COUNT = 20


class Model(nn.Module):
    def forward(self, *tensors):
        total = torch.stack(tensors)
        dist.all_reduce(total)
        return [part.clone() for part in total]


def get_inputs():
    return [torch.rand(16) for _ in range(COUNT)]


def get_init_inputs():
    return []
