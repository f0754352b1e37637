import torch
from torch import nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

// One block a row: the squares are added in registers, warps and the block.
__global__ void rms(const float *x, const float *weight, float *y, int n)
{
	__shared__ float sums[32];
	const float *row = x + blockIdx.x * (long)n;
	float sum = 0.0f;

	for (int i = threadIdx.x; i < n; i += blockDim.x)
		sum += row[i] * row[i];
	for (int i = 16; i > 0; i /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, i);
	if (threadIdx.x % 32 == 0)
		sums[threadIdx.x / 32] = sum;
	__syncthreads();
	sum = 0.0f;
	for (int i = 0; i < blockDim.x / 32; i++)
		sum += sums[i];
	sum = rsqrtf(sum / n + 1e-5f);
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		y[blockIdx.x * (long)n + i] = row[i] * sum * weight[i];
}

torch::Tensor rms_cuda(torch::Tensor x, torch::Tensor weight)
{
	auto y = torch::empty_like(x);
	int n = x.size(-1);

	rms<<<x.numel() / n, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
		x.data_ptr<float>(), weight.data_ptr<float>(),
		y.data_ptr<float>(), n);
	return y;
}
"""

cpp_source = "torch::Tensor rms_cuda(torch::Tensor x, torch::Tensor weight);"

module = load_inline(name="rms", cpp_sources=cpp_source,
                     cuda_sources=cuda_source, functions=["rms_cuda"])


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(features))

    def forward(self, x):
        return module.rms_cuda(x.contiguous(), self.weight)
