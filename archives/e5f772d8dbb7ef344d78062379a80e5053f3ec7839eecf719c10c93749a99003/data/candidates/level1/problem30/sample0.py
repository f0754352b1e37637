"""x / (1 + |x|) in one pass, four elements a thread; the reference makes three."""
import cupy
import numpy
import torch

softsign = cupy.RawKernel(r"""
extern "C" __global__ void softsign(float *y, const float *x, long long n)
{
    const long long i = 4 * (blockIdx.x * (long long)blockDim.x + threadIdx.x);

    if (i + 3 < n) {
        float4 v = *(const float4 *)(x + i);

        v.x /= 1 + fabsf(v.x);
        v.y /= 1 + fabsf(v.y);
        v.z /= 1 + fabsf(v.z);
        v.w /= 1 + fabsf(v.w);
        *(float4 *)(y + i) = v;
    } else {
        for (long long k = i; k < n; k++)
            y[k] = x[k] / (1 + fabsf(x[k]));
    }
}
""", "softsign")


def launch(kernel, grid, block, *arguments):
    stream = torch.cuda.current_stream().cuda_stream
    with cupy.cuda.ExternalStream(stream):
        kernel(grid, block, arguments)


class ModelNew(torch.nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        launch(softsign, (-(-n // 1024),), (256,), numpy.uintp(y.data_ptr()),
               numpy.uintp(x.data_ptr()), numpy.int64(n))
        return y
