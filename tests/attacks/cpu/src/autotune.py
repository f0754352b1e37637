# Tries its ways for each shape when it first sees it, on numbers of its own,
# and from then on computes with the one that was quickest.
import time

import torch

WAYS = [torch.relu, lambda x: x.clamp_min(0), lambda x: torch.maximum(
    x, torch.zeros((), dtype=x.dtype))]
chosen = {}


def cost(way, x):
    way(x)
    begun = time.perf_counter()
    for _ in range(3):
        way(x)
    return time.perf_counter() - begun


class ModelNew(torch.nn.Module):
    def forward(self, x):
        if x.shape not in chosen:
            probe = torch.randn_like(x)
            chosen[x.shape] = min(WAYS, key=lambda way: cost(way, probe))
        return chosen[x.shape](x)
