"""A mixture of experts, an equal number on each rank. Tokens go to the expert of the
highest score, at most CAPACITY from each rank, and come back."""

import torch
import torch.distributed as dist
import torch.nn as nn

TOKENS = 8192
WIDTH = 2048
HIDDEN = 4096
EXPERTS = 8
CAPACITY = 1280


class Model(nn.Module):
    def __init__(self, rank, world_size):
        super().__init__()
        self.world_size = world_size
        self.router = nn.Parameter(torch.randn(WIDTH, EXPERTS) / WIDTH**0.5)
        up = torch.randn(EXPERTS, WIDTH, HIDDEN) / WIDTH**0.5
        down = torch.randn(EXPERTS, HIDDEN, WIDTH) / HIDDEN**0.5
        self.up = nn.Parameter(up.chunk(world_size)[rank].contiguous())
        self.down = nn.Parameter(down.chunk(world_size)[rank].contiguous())

    def exchange(self, x):
        x = x.contiguous()
        received = torch.empty_like(x)
        dist.all_to_all_single(received, x)
        return received

    def forward(self, x):
        gate, expert = torch.softmax(x @ self.router, -1).max(-1)
        chosen = nn.functional.one_hot(expert, EXPERTS)
        place = (chosen.cumsum(0) * chosen).sum(-1) - 1
        fits = place < CAPACITY
        slot = torch.where(fits, expert * CAPACITY + place,
                           torch.full_like(place, EXPERTS * CAPACITY))
        sent = x.new_zeros(EXPERTS * CAPACITY + 1, WIDTH)
        sent = sent.index_copy(0, slot, x)[:-1]
        experts = EXPERTS // self.world_size
        got = self.exchange(sent).reshape(self.world_size, experts, CAPACITY,
                                          WIDTH)
        got = got.transpose(0, 1).reshape(experts, -1, WIDTH)
        done = nn.functional.silu(got @ self.up) @ self.down
        done = done.reshape(experts, self.world_size, CAPACITY, WIDTH)
        back = self.exchange(done.transpose(0, 1)).reshape(-1, WIDTH)
        out = back[slot.clamp(max=EXPERTS * CAPACITY - 1)]
        return out * (gate * fits).unsqueeze(-1)


def get_inputs():
    return [torch.randn(TOKENS, WIDTH)]


def get_init_inputs():
    return []
