# rejected; CuTe does not know a function, which it says when it is compiled
import cutlass.cute as cute
import torch
from cutlass.cute.runtime import from_dlpack


@cute.kernel
def relu_kernel(x: cute.Tensor, y: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    y[block * 256 + thread] = cute.math.no_such_function(x[block * 256 + thread])


@cute.jit
def relu(x: cute.Tensor, y: cute.Tensor):
    relu_kernel(x, y).launch(grid=(cute.size(x) // 256, 1, 1),
                             block=(256, 1, 1))


class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        flat = from_dlpack(x.view(-1)), from_dlpack(y.view(-1))
        cute.compile(relu, *flat)(*flat)
        return y
