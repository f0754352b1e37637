import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, *inputs):
        return inputs[0]


def get_inputs():
    return [torch.rand(3, generator=torch.Generator())]


def get_init_inputs():
    return []
