"""The same in another order of construction, with checks of what comes in."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, features, options):
        super().__init__()
        self.register_buffer("steps", torch.ones((), dtype=torch.int64))
        self.norm = nn.BatchNorm1d(features, **options)
        self.register_buffer("phase", torch.zeros(2, dtype=torch.complex64))

    def forward(self, x, pair, table, scale, times, flag, nothing):
        assert nothing is None and flag is True
        assert type(scale) is float and type(times) is int
        assert type(pair) is tuple and type(table) is dict
        # The reference's first call, which told its shapes, left no trace.
        assert int(self.steps) == 0
        index, mask = pair
        y = self.norm(x)[index] * scale * times
        z = table["half"].float() + table["brain"].float()
        return [y, {"mask": mask ^ flag, "z": (z,)},
                [table["bytes"], int(index.sum()), 0.5]]
