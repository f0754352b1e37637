import torch
import torch.nn as nn


class Model(nn.Module):
    """Of many rows the one whose score is greatest: among so many tokens there are some with two
    scores that are nearly the same."""

    def __init__(self):
        super().__init__()
        self.scores = nn.Linear(16, 64)
        self.rows = nn.Parameter(torch.randn(64, 8))

    def forward(self, x):
        return self.rows[self.scores(x).argmax(dim=-1)]


tokens = 16384


def get_inputs():
    return [torch.randn(tokens, 16)]


def get_init_inputs():
    return []
