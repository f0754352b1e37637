import torch
import torch.nn as nn


class Model(nn.Module):
    """The same choice, but each token is near one of the rows, so that its score is far above the
    others."""

    def __init__(self):
        super().__init__()
        self.register_buffer("directions", torch.eye(64))
        self.rows = nn.Parameter(torch.randn(64, 8))

    def forward(self, x):
        scores = torch.matmul(x, self.directions)
        return torch.tanh(self.rows[scores.argmax(dim=-1)] * scores.amax(dim=-1, keepdim=True))


tokens = 16384


def get_inputs():
    noise = torch.randn(tokens, 64) / 64
    return [noise + torch.eye(64)[torch.randint(64, (tokens,))]]


def get_init_inputs():
    return []
