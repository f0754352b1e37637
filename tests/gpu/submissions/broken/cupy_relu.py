# rejected; NVRTC, which CuPy runs at the first launch, does not know a name
import cupy
import numpy
import torch

relu = cupy.RawKernel(r"""
extern "C" __global__ void relu(float *y, const float *x, long long n)
{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = fmaxf(x[i], no_such_variable);
}
""", "relu")


class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        relu((-(-n // 256),), (256,), (numpy.uintp(y.data_ptr()),
                                       numpy.uintp(x.data_ptr()), numpy.int64(n)))
        return y
