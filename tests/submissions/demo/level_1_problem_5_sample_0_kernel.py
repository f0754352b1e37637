# expected: correct; a running maximum along each axis in turn
import torch
import torch.nn as nn


def sliding_max(x, dim, size):
    """Maximum of every `size` neighbours along `dim`."""
    count = x.size(dim) - size + 1
    y = x.narrow(dim, 0, count)
    for offset in range(1, size):
        y = torch.maximum(y, x.narrow(dim, offset, count))
    return y


class ModelNew(nn.Module):
    def __init__(self, kernel_size, stride):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride

    def forward(self, x):
        y = sliding_max(sliding_max(x, 2, self.kernel_size), 3, self.kernel_size)
        return y[:, :, :: self.stride, :: self.stride]
