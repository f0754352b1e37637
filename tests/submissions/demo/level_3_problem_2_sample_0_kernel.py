# expected: correct; scale and mask are part of the first product
import math

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, features, heads, length):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(features, features)
        self.key = nn.Linear(features, features)
        self.value = nn.Linear(features, features)
        self.project = nn.Linear(features, features)
        self.register_buffer("later", torch.ones(length, length, dtype=torch.bool).triu(1))
        mask = torch.full((1, length, length), float("-inf")).triu(1)
        self.register_buffer("mask", mask, persistent=False)

    def split_heads(self, x):
        batch, length, features = x.shape
        x = x.view(batch, length, self.heads, -1).transpose(1, 2)
        return x.reshape(batch * self.heads, length, -1)

    def forward(self, x):
        batch, length, features = x.shape
        q = self.split_heads(self.query(x))
        k = self.split_heads(self.key(x))
        v = self.split_heads(self.value(x))
        scale = 1.0 / math.sqrt(q.size(-1))
        scores = torch.baddbmm(self.mask, q, k.transpose(1, 2), alpha=scale)
        y = torch.bmm(torch.softmax(scores, dim=-1), v)
        y = y.view(batch, self.heads, length, -1).transpose(1, 2)
        return self.project(y.reshape(x.shape))
