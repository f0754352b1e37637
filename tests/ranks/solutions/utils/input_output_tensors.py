"""Inputs in the form of ParallelKernelBench, whose runner calls this function."""

import torch
import torch.distributed as dist


def create_input_tensor(rank, world_size, problem_id, base_shape, dtype,
                        trial=0, device=None):
    rows, columns = (n // 16 for n in base_shape)
    if problem_id == 1:  # a part of what every rank draws
        torch.manual_seed(1 + trial)
        whole = torch.randn(world_size, rows, columns, dtype=dtype,
                            device=device)
        return (whole[rank],)
    torch.manual_seed(2 + rank + trial)
    pairs = [dist.new_group([first, first + 1])
             for first in range(0, world_size, 2)]
    linear = torch.nn.Linear(columns, columns).to(device=device, dtype=dtype)
    x = torch.randn(rows, columns, dtype=dtype, device=device)
    where = torch.stack([torch.arange(rows), torch.arange(rows) % columns])
    weight = torch.sparse_coo_tensor(where.to(device), x[:, 0],
                                     (rows, columns)).coalesce()
    number = torch.randn(columns, dtype=torch.complex64, device=device)
    return [x, weight], linear, {"scale": 1 + trial % 7}, number, pairs[
        rank // 2], None
