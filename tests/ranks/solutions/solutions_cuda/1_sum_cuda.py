import torch
import torch.distributed as dist
from utils.sums import sum_of


def solution(x):
    parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)
    return sum_of(parts)
