import torch
import torch.distributed as dist


@torch.no_grad()
def solution(x):
    total = x.clone()
    dist.all_reduce(total)
    return total
