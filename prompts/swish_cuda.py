import torch
from torch import nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void swish(const float *x, float *y, float scale, long n)
{
	long i = blockIdx.x * (long)blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = scale * x[i] / (1.0f + __expf(-x[i]));
}

torch::Tensor swish_cuda(torch::Tensor x, double scale)
{
	auto y = torch::empty_like(x);
	long n = x.numel();

	swish<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
		x.data_ptr<float>(), y.data_ptr<float>(), (float)scale, n);
	return y;
}
"""

cpp_source = "torch::Tensor swish_cuda(torch::Tensor x, double scale);"

module = load_inline(name="swish", cpp_sources=cpp_source,
                     cuda_sources=cuda_source, functions=["swish_cuda"])


class ModelNew(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        return module.swish_cuda(x.contiguous(), self.scale)
