"""Outputs of every kind that a float64 form has to get right. Every call
changes the state, in a buffer and in a mere attribute."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(64, 8)
        self.register_buffer("calls", torch.zeros(()))
        self.third = torch.full((8,), 1 / 3)  # no buffer, no parameter
        self.seen = 0

    def forward(self, x, index, scale):
        self.calls += 1
        self.seen += 1
        # Casts for the sake of float32, and one that is meant.
        y = (self.linear(x).float() * self.third).to(torch.float32) * scale
        y += torch.ones(8, dtype=torch.float32) * self.calls
        return {"a": y + self.seen, "b": index.sum(), "c": x,
                "d": torch.where(y > 1.5, y, float("-inf")),
                "e": y[:0], "f": torch.rand(4) + torch.rand_like(y[0, :4])}


def get_inputs():
    return [torch.rand(6, 64), torch.randint(0, 9, (6,)), 0.5]


def get_init_inputs():
    return []
