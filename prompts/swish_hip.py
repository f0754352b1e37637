import torch
from torch import nn
from torch.utils.cpp_extension import load_inline

hip_source = r"""
#include <torch/extension.h>
#include <hip/hip_runtime.h>
#include <ATen/hip/HIPContext.h>

__global__ void swish(const float *x, float *y, float scale, long n)
{
	long i = blockIdx.x * (long)blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = scale * x[i] / (1.0f + expf(-x[i]));
}

torch::Tensor swish_hip(torch::Tensor x, double scale)
{
	auto y = torch::empty_like(x);
	long n = x.numel();

	swish<<<(n + 255) / 256, 256, 0, at::hip::getCurrentHIPStream()>>>(
		x.data_ptr<float>(), y.data_ptr<float>(), (float)scale, n);
	return y;
}
"""

cpp_source = "torch::Tensor swish_hip(torch::Tensor x, double scale);"

module = load_inline(name="swish", cpp_sources=cpp_source,
                     cuda_sources=hip_source, functions=["swish_hip"])


class ModelNew(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        return module.swish_hip(x.contiguous(), self.scale)
