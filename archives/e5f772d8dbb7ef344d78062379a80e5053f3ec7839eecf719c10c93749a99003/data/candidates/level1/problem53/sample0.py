"""Smallest value along the middle axis, without the indices that torch.min() finds."""
import cupy
import numpy
import torch

smallest = cupy.RawKernel(r"""
#define COLUMNS 32
#define WARPS 16

/* What is not a number wins, as in torch. */
static __device__ float smaller(float a, float b)
{
    return a < b || a != a ? a : b;
}

extern "C" __global__ void smallest(float *y, const float *x, int rows,
                                    int columns)
{
    __shared__ float all[WARPS][COLUMNS];
    const int column = blockIdx.x * COLUMNS + threadIdx.x;
    float best = __int_as_float(0x7f800000);

    x += blockIdx.y * (long long)rows * columns;
    if (column < columns)
#pragma unroll 8
        for (int r = threadIdx.y; r < rows; r += WARPS)
            best = smaller(x[r * (long long)columns + column], best);
    all[threadIdx.y][threadIdx.x] = best;
    __syncthreads();
    if (threadIdx.y || column >= columns)
        return;
    for (int i = 1; i < WARPS; i++)
        best = smaller(all[i][threadIdx.x], best);
    y[blockIdx.y * (long long)columns + column] = best;
}
""", "smallest")


class ModelNew(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        if self.dim % x.dim() != 1 or x.dim() != 3:
            return torch.amin(x, dim=self.dim)
        batch, rows, columns = x.shape
        y = x.new_empty(batch, columns)
        stream = torch.cuda.current_stream().cuda_stream
        with cupy.cuda.ExternalStream(stream):
            smallest((-(-columns // 32), batch), (32, 16), (
                numpy.uintp(y.data_ptr()), numpy.uintp(x.data_ptr()),
                numpy.int32(rows), numpy.int32(columns)))
        return y
