import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Linear layer, swish, halving, clamp to [-1, 1], tanh and the same clamp again.

    x: [batch_size, in_features]; output: [batch_size, out_features]. The last clamp cannot act: the
    values come out of tanh.
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features, bias=bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.gemm(x)
        x = x * torch.sigmoid(x)
        x = torch.clamp(x / 2.0, min=-1.0, max=1.0)
        return torch.clamp(torch.tanh(x), min=-1.0, max=1.0)


batch_size = 1024
in_features = 8192
out_features = 8192


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features]
