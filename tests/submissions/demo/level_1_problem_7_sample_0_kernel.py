# expected: correct; C++ built at load time, one pass in place of two
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

// One pass: the masked values are summed as they are read, never stored.
static void cumsum_row(float *y, const float *x, const bool *mask, int64_t n)
{
    float sum = 0.0f;

    for (int64_t i = 0; i < n; i++)
        y[i] = sum += x[i] * static_cast<float>(mask[i]);
}

torch::Tensor masked_cumsum(torch::Tensor x, torch::Tensor mask)
{
    TORCH_CHECK(x.dim() == 2 && x.is_contiguous() && mask.is_contiguous());

    int64_t columns = x.size(1);
    torch::Tensor y = torch::empty_like(x);

    for (int64_t row = 0; row < x.size(0); row++)
        cumsum_row(y.data_ptr<float>() + row * columns,
                   x.data_ptr<float>() + row * columns,
                   mask.data_ptr<bool>() + row * columns, columns);
    return y;
}
"""

extension = load_inline(
    name="masked_cumsum",
    cpp_sources=source,
    functions=["masked_cumsum"],
    extra_cflags=["-O1"],
)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()

    def forward(self, x, mask):
        return extension.masked_cumsum(x, mask)
