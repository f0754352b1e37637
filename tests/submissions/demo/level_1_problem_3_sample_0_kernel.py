# expected: correct; slower, unfolds the windows into a matrix first
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.kernel_size = kernel_size
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)

    def forward(self, x):
        windows = F.unfold(x, self.kernel_size, padding=self.kernel_size // 2)
        weight = self.conv.weight.flatten(1)
        y = torch.matmul(weight, windows) + self.conv.bias[:, None]
        return y.view(x.size(0), -1, x.size(2), x.size(3))
