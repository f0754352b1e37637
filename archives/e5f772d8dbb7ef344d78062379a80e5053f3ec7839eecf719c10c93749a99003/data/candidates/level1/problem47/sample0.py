"""Sum over the middle axis: a block has 32 columns, its 16 warps every 16th row."""
import cupy
import numpy
import torch

sums = cupy.RawKernel(r"""
#define COLUMNS 32
#define WARPS 16

extern "C" __global__ void sums(float *y, const float *x, int rows, int columns)
{
    __shared__ float all[WARPS][COLUMNS];
    const int column = blockIdx.x * COLUMNS + threadIdx.x;
    float sum = 0;

    x += blockIdx.y * (long long)rows * columns;
    if (column < columns)
#pragma unroll 8
        for (int r = threadIdx.y; r < rows; r += WARPS)
            sum += x[r * (long long)columns + column];
    all[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y || column >= columns)
        return;
    for (int i = 1; i < WARPS; i++)
        sum += all[i][threadIdx.x];
    y[blockIdx.y * (long long)columns + column] = sum;
}
""", "sums")


class ModelNew(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        if self.dim % x.dim() != 1 or x.dim() != 3:
            return torch.sum(x, dim=self.dim, keepdim=True)
        batch, rows, columns = x.shape
        y = x.new_empty(batch, 1, columns)
        stream = torch.cuda.current_stream().cuda_stream
        with cupy.cuda.ExternalStream(stream):
            sums((-(-columns // 32), batch), (32, 16), (
                numpy.uintp(y.data_ptr()), numpy.uintp(x.data_ptr()),
                numpy.int32(rows), numpy.int32(columns)))
        return y
