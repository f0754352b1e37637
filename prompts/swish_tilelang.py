import tilelang
import tilelang.language as T
import torch
from torch import nn


def make_kernel(rows, columns, scale, dtype):
    @T.prim_func
    def swish(x: T.Tensor((rows, columns), dtype),
              y: T.Tensor((rows, columns), dtype)):
        with T.Kernel(T.ceildiv(columns, 256), rows, threads=128) as (bx, by):
            for i in T.Parallel(256):
                column = bx * 256 + i
                if column < columns:
                    y[by, column] = (scale * x[by, column] *
                                     T.sigmoid(x[by, column]))

    return tilelang.compile(swish, out_idx=[1], target="cuda")


class ModelNew(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale
        self.kernels = {}

    def forward(self, x):
        flat = x.contiguous().view(-1, x.shape[-1])
        key = tuple(flat.shape), x.dtype
        if key not in self.kernels:
            dtype = str(x.dtype).removeprefix("torch.")
            self.kernels[key] = make_kernel(*flat.shape, self.scale, dtype)
        return self.kernels[key](flat).view(x.shape)
