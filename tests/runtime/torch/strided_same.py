"""The same, made contiguous at its own expense."""

import torch


class ModelNew(torch.nn.Module):
    def forward(self, image, matrix, row):
        strides = image.stride() + matrix.stride() + row.stride()
        return (torch.tensor(strides), image.contiguous() + image,
                matrix.contiguous() + 1, row + row + row)
