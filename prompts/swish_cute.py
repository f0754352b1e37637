import cutlass
import cutlass.cute as cute
import torch
from cutlass.cute.runtime import from_dlpack
from torch import nn

THREADS = 256


@cute.kernel
def swish_kernel(x: cute.Tensor, y: cute.Tensor, scale: cutlass.Float32):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    i = block * THREADS + thread
    if i < cute.size(x):
        y[i] = scale * x[i] / (1.0 + cute.math.exp(-x[i]))


@cute.jit
def swish(x: cute.Tensor, y: cute.Tensor, scale: cutlass.Float32):
    blocks = cute.ceil_div(cute.size(x), THREADS)
    swish_kernel(x, y, scale).launch(grid=(blocks, 1, 1),
                                     block=(THREADS, 1, 1))


class ModelNew(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale
        self.compiled = {}

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        flat = from_dlpack(x.view(-1)), from_dlpack(y.view(-1))
        key = x.numel(), x.dtype
        if key not in self.compiled:
            self.compiled[key] = cute.compile(swish, *flat, self.scale)
        self.compiled[key](*flat, self.scale)
        return y
