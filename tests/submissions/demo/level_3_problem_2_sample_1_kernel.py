# expected: exited; ends its process in the middle of a call
import os

import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, features, heads, length):
        super().__init__()

    def forward(self, x):
        os._exit(0)
