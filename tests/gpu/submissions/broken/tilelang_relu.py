# rejected; TileLang does not know a function, which it says when it is compiled
import tilelang
import tilelang.language as T
import torch


def make_relu(rows, columns):
    @T.prim_func
    def relu(x: T.Tensor((rows, columns), "float32"),
             y: T.Tensor((rows, columns), "float32")):
        with T.Kernel(T.ceildiv(columns, 256), rows, threads=128) as (bx, by):
            for i in T.Parallel(256):
                y[by, bx * 256 + i] = T.no_such_function(x[by, bx * 256 + i])

    return tilelang.compile(relu, out_idx=[1], target="cuda")


class ModelNew(torch.nn.Module):
    def forward(self, x):
        return make_relu(*x.shape)(x)
