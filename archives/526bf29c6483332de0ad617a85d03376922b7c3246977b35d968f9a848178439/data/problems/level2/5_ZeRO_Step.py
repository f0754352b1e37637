"""A step of Adam whose state is sharded: each rank gets the mean of its part of all
gradients, steps, and gathers the parameters."""

import torch
import torch.distributed as dist
import torch.nn as nn

ELEMENTS = 33554432


class Model(nn.Module):
    def forward(self, gradient, parameters, first, second):
        world_size = dist.get_world_size()
        parts = torch.empty_like(gradient)
        dist.all_to_all_single(parts, gradient)
        mean = parts.reshape(world_size, -1).mean(0)
        first = 0.9 * first + 0.1 * mean
        second = 0.999 * second + 0.001 * mean * mean
        step = first / 0.1 / ((second / 0.001).sqrt() + 1e-8)
        parameters = parameters - 1e-3 * step
        gathered = [torch.empty_like(parameters) for _ in range(world_size)]
        dist.all_gather(gathered, parameters)
        return torch.cat(gathered), first, second


def get_inputs(world_size):
    shard = ELEMENTS // world_size
    return [torch.randn(ELEMENTS), torch.randn(shard), torch.randn(shard),
            torch.rand(shard)]


def get_init_inputs():
    return []
