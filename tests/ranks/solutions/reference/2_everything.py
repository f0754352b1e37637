import torch.distributed as dist


def solution(tensors, linear, options, number, group, unused):
    x, weight = tensors
    weight = weight.to_dense()
    loss = (linear(x) * weight).sum() * options["scale"]
    loss.backward()
    gradient = linear.weight.grad
    dist.all_reduce(gradient, group=group)
    return {"gradient": gradient, "both": (number * 2, unused)}
