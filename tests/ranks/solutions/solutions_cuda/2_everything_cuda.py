import torch.distributed as dist


def solution(tensors, linear, options, number, group, unused):
    x, weight = tensors
    gradient = options["scale"] * weight.to_dense().t() @ x
    dist.all_reduce(gradient, group=group)
    return {"gradient": gradient, "both": [number + number]}
