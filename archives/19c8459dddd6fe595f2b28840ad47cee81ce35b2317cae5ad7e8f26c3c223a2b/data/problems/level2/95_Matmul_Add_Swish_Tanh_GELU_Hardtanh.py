import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    Linear layer plus a learned term, swish, tanh, GELU and Hardtanh.

    x: [batch_size, in_features]; output: [batch_size, out_features]. The Hardtanh cannot act: GELU
    of a tanh stays within [-1, 1].
    """

    def __init__(self, in_features: int, out_features: int, add_value_shape: tuple):
        super().__init__()
        self.matmul = nn.Linear(in_features, out_features)
        self.add_value = nn.Parameter(torch.randn(add_value_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.matmul(x) + self.add_value
        x = torch.sigmoid(x) * x
        x = F.gelu(torch.tanh(x))
        return F.hardtanh(x, min_val=-1, max_val=1)


batch_size = 1024
in_features = 8192
out_features = 8192


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, (out_features,)]
