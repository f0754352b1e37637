# rejected; nvcc, which torch runs for it, finds no such type in ThunderKittens
import os

import torch
from torch.utils.cpp_extension import load_inline

source = """
#include "kittens.cuh"
#include <torch/extension.h>

torch::Tensor relu(torch::Tensor x)
{
    kittens::no_such_type y;

    return x;
}
"""

module = load_inline(
    name="kb_gpu_test_kittens",
    cpp_sources="torch::Tensor relu(torch::Tensor x);",
    cuda_sources=source, functions=["relu"],
    extra_include_paths=[os.environ["THUNDERKITTENS_ROOT"] + "/include"],
    extra_cuda_cflags=["-std=c++20", "-arch=sm_90a", "-DKITTENS_HOPPER",
                       "--expt-relaxed-constexpr", "--expt-extended-lambda"])


class ModelNew(torch.nn.Module):
    def forward(self, x):
        return module.relu(x)
