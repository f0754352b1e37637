"""Attention over a sharded sequence. Keys and values go round a ring, and each rank
keeps a running maximum and sum of its positions."""

import torch
import torch.distributed as dist
import torch.nn as nn

HEADS = 16
POSITIONS = 8192
WIDTH = 128


class Model(nn.Module):
    def __init__(self, rank, world_size):
        super().__init__()
        self.rank, self.world_size = rank, world_size

    def pass_on(self, x):
        """To the next rank, from the one before."""
        received = torch.empty_like(x)
        to, by = ([len(x) * (peer == (self.rank + step) % self.world_size)
                   for peer in range(self.world_size)] for step in (1, -1))
        dist.all_to_all_single(received, x, by, to)
        return received

    def forward(self, q, k, v):
        kv = torch.stack((k, v))
        highest = total = out = None
        for step in range(self.world_size):
            scores = q @ kv[0].transpose(1, 2) / WIDTH**0.5
            now = scores.amax(-1, keepdim=True)
            new = now if highest is None else torch.maximum(highest, now)
            weights = torch.exp(scores - new)
            added, weighted = weights.sum(-1, keepdim=True), weights @ kv[1]
            if step:
                scale = torch.exp(highest - new)
                added, weighted = added + total * scale, weighted + out * scale
            highest, total, out = new, added, weighted
            if step + 1 < self.world_size:
                kv = self.pass_on(kv)
        return out / total


def get_inputs(world_size):
    return [torch.randn(HEADS, POSITIONS // world_size, WIDTH)
            for _ in range(3)]


def get_init_inputs():
    return []
