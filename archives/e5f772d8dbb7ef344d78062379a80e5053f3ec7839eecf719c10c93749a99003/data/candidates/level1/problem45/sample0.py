"""Average pooling over disjoint windows: rows are read as they lie.

A block has one row of outputs. Its threads first add up the rows of the windows,
column by column, and then the columns of each window, in shared memory; in the
reference each thread has one window and neighbours read far from each other.
"""
import torch
from torch.utils.cpp_extension import load_inline

source = r"""
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

#define THREADS 256

static __global__ void average_pool(float *y, const float *x, int height,
                                    int width, int pooled_width, int size)
{
    extern __shared__ float columns[];
    const int64_t row = (int64_t)blockIdx.y * height + blockIdx.x * size;

    x += row * width;
    y += ((int64_t)blockIdx.y * gridDim.x + blockIdx.x) * pooled_width;
    for (int c = threadIdx.x; c < pooled_width * size; c += THREADS) {
        float sum = 0;

#pragma unroll 11
        for (int r = 0; r < size; r++)
            sum += x[r * width + c];
        columns[c] = sum;
    }
    __syncthreads();
    for (int o = threadIdx.x; o < pooled_width; o += THREADS) {
        float sum = 0;

        for (int i = 0; i < size; i++)
            sum += columns[o * size + i];
        y[o] = sum / (size * size);
    }
}

torch::Tensor pool(torch::Tensor x, int64_t size)
{
    const int height = x.size(2), width = x.size(3);
    auto y = torch::empty({x.size(0), x.size(1), height / size, width / size},
                          x.options());
    const dim3 grid(height / size, x.size(0) * x.size(1));

    average_pool<<<grid, THREADS, width * sizeof(float),
                   at::cuda::getCurrentCUDAStream()>>>(
        y.data_ptr<float>(), x.data_ptr<float>(), height, width, width / size,
        size);
    return y;
}
"""

module = load_inline(
    name="kb_kernels_average_pool",
    cpp_sources="torch::Tensor pool(torch::Tensor x, int64_t size);",
    cuda_sources=source, functions=["pool"])


class ModelNew(torch.nn.Module):
    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.size = kernel_size
        self.plain = None
        if (stride or kernel_size) != kernel_size or padding:
            self.plain = torch.nn.AvgPool2d(kernel_size, stride, padding)

    def forward(self, x):
        if self.plain:
            return self.plain(x)
        return module.pool(x.contiguous(), self.size)
