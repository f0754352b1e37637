import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    Linear layer, offset and row mean through logsumexp and GELU, added back to the input.

    x: [batch_size, in_features]; output: [batch_size, in_features]. After the mean each row holds
    a single value, so logsumexp returns it unchanged; that value is broadcast over the row of x.
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features, bias=bias)
        self.subtract = nn.Parameter(torch.randn(out_features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        residual = x.clone().detach()
        y = self.gemm(x) - self.subtract
        y = torch.mean(y, dim=1, keepdim=True)
        y = torch.logsumexp(y, dim=1, keepdim=True)
        return F.gelu(y) + residual


batch_size = 2048
in_features = 8192
out_features = 8192


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features]
