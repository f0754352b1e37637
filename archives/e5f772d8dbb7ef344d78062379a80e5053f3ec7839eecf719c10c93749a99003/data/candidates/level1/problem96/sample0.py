"""Smooth L1 loss in one reading, in CUDA C++; the reference writes every error."""
import torch
from torch.utils.cpp_extension import load_inline

source = r"""
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

#define THREADS 512
#define BLOCKS 1056

static __device__ double over_block(double v)
{
    __shared__ double each[THREADS];

    each[threadIdx.x] = v;
    for (int half = THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            each[threadIdx.x] += each[threadIdx.x + half];
    }
    __syncthreads();
    return each[0];
}

static __device__ float huber(float a, float b)
{
    const float d = fabsf(a - b);

    return d < 1 ? 0.5f * d * d : d - 0.5f;
}

static __global__ void partial_sums(double *sums, const float *a,
                                    const float *b, int64_t n)
{
    const int64_t step = 4 * (int64_t)gridDim.x * THREADS;
    int64_t i = 4 * (blockIdx.x * (int64_t)THREADS + threadIdx.x);
    float sum = 0;
    double all;

#pragma unroll 4
    for (; i + 3 < n; i += step) {
        const float4 u = *(const float4 *)(a + i);
        const float4 v = *(const float4 *)(b + i);

        sum += (huber(u.x, v.x) + huber(u.y, v.y)) +
               (huber(u.z, v.z) + huber(u.w, v.w));
    }
    for (; i < n; i++)
        sum += huber(a[i], b[i]);
    all = over_block(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = all;
}

static __global__ void mean(float *y, const double *sums, int count, double n)
{
    double sum = 0;

    for (int i = threadIdx.x; i < count; i += THREADS)
        sum += sums[i];
    sum = over_block(sum);
    if (threadIdx.x == 0)
        *y = (float)(sum / n);
}

torch::Tensor loss(torch::Tensor a, torch::Tensor b)
{
    const auto stream = at::cuda::getCurrentCUDAStream();
    auto sums = torch::empty({BLOCKS}, a.options().dtype(torch::kDouble));
    auto y = torch::empty({}, a.options());

    partial_sums<<<BLOCKS, THREADS, 0, stream>>>(
        sums.data_ptr<double>(), a.data_ptr<float>(), b.data_ptr<float>(),
        a.numel());
    mean<<<1, THREADS, 0, stream>>>(y.data_ptr<float>(),
                                    sums.data_ptr<double>(), BLOCKS,
                                    (double)a.numel());
    return y;
}
"""

module = load_inline(
    name="kb_kernels_huber",
    cpp_sources="torch::Tensor loss(torch::Tensor a, torch::Tensor b);",
    cuda_sources=source, functions=["loss"])


class ModelNew(torch.nn.Module):
    def forward(self, predictions, targets):
        return module.loss(predictions.contiguous(), targets.contiguous())
