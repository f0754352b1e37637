import math

import torch
import torch.nn as nn


class Model(nn.Module):
    """Multi-head self-attention in which no position sees a later one."""

    def __init__(self, features: int, heads: int, length: int):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(features, features)
        self.key = nn.Linear(features, features)
        self.value = nn.Linear(features, features)
        self.project = nn.Linear(features, features)
        later = torch.ones(length, length, dtype=torch.bool).triu(1)
        self.register_buffer("later", later)

    def split_heads(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, features = x.shape
        return x.view(batch, length, self.heads, features // self.heads).transpose(1, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q = self.split_heads(self.query(x))
        k = self.split_heads(self.key(x))
        v = self.split_heads(self.value(x))
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
        scores = scores.masked_fill(self.later, float("-inf"))
        y = torch.matmul(torch.softmax(scores, dim=-1), v)
        return self.project(y.transpose(1, 2).reshape(x.shape))


batch_size = 4
length = 64
features = 64
heads = 4


def get_inputs():
    return [torch.randn(batch_size, length, features)]


def get_init_inputs():
    return [features, heads, length]
