"""Every type of input, nested; several outputs, nested; state of all kinds."""

import torch
import torch.nn as nn
from torch import randint


class Model(nn.Module):
    def __init__(self, features, options):
        super().__init__()
        self.norm = nn.BatchNorm1d(features, **options)
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))
        self.register_buffer("phase", torch.zeros(2, dtype=torch.complex64))

    def forward(self, x, pair, table, scale, times, flag, nothing):
        self.steps += 1
        index, mask = pair
        y = self.norm(x)[index] * scale * times
        z = table["half"].float() + table["brain"].float()
        return y, {"z": [z, None], "mask": mask ^ flag}, (
            table["bytes"], int(index.sum()), 0.5)


def get_inputs():
    torch.rand(3, device="cuda")
    return [
        torch.randn(8, 4),
        (randint(8, (5,)), torch.randint(0, 2, (5,)).bool()),
        {
            "half": torch.rand(3, dtype=torch.float16),
            "brain": torch.randn(3, dtype=torch.bfloat16),
            "bytes": torch.randint(low=0, high=256, size=(9,),
                                   dtype=torch.uint8),
        },
        float(torch.rand(())),
        int(torch.randint(1, 9, ())),
        True,
        None,
    ]


def get_init_inputs():
    return [4, {"eps": 1e-3}]
