"""Inputs that are dense in other orders than that of their dimensions, one that
is not dense, and how each came in."""

import torch


class Model(torch.nn.Module):
    def forward(self, image, matrix, row):
        strides = image.stride() + matrix.stride() + row.stride()
        return torch.tensor(strides), image * 2, matrix + 1, row * 3


def get_inputs():
    image = torch.rand(2, 3, 4, 5).to(memory_format=torch.channels_last)
    return [image, torch.rand(4, 6).t(), torch.rand(3, 1).expand(3, 4)]


def get_init_inputs():
    return []
