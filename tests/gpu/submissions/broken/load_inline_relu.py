# rejected; nvcc, which torch runs for it, does not know a name
import torch
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void work(float *y, const float *x, int64_t n)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = fmaxf(x[i], no_such_variable);
}

torch::Tensor relu(torch::Tensor x)
{
    auto y = torch::empty_like(x);

    work<<<(x.numel() + 255) / 256, 256>>>(y.data_ptr<float>(),
                                           x.data_ptr<float>(), x.numel());
    return y;
}
"""

module = load_inline(name="kb_gpu_test_broken",
                     cpp_sources="torch::Tensor relu(torch::Tensor x);",
                     cuda_sources=source, functions=["relu"])


class ModelNew(torch.nn.Module):
    def forward(self, x):
        return module.relu(x)
