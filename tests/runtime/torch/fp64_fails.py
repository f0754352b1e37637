"""Fails in float64 in the way that an environment variable says."""

import os
import sys

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        if x.dtype == torch.float64:
            self.fail(os.environ["KB_TEST_FAILURE"])
        return x * 2

    def fail(self, how):
        if how == "raises":
            raise ValueError("nothing wi\u00f0er here,\nsorry")
        if how == "exits":
            sys.exit(3)
        if how == "dies":
            os._exit(3)
        if how == "is wordless":
            raise KeyError
        if how == "has no room":
            raise RuntimeError("[enforce fail] DefaultCPUAllocator: "
                               "can't allocate memory")


def get_inputs():
    return [torch.rand(6, 5)]


def get_init_inputs():
    return []
