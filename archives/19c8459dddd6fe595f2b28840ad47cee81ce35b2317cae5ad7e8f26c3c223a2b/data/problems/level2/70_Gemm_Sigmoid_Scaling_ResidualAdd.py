import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Linear layer plus its own sigmoid times a constant.

    x: [batch_size, input_size]; output: [batch_size, hidden_size]. The residual is the output of
    the linear layer, not x.
    """

    def __init__(self, input_size: int, hidden_size: int, scaling_factor: float):
        super().__init__()
        self.gemm = nn.Linear(input_size, hidden_size)
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.gemm(x)
        return torch.sigmoid(x) * self.scaling_factor + x


batch_size = 1024
input_size = 8192
hidden_size = 8192
scaling_factor = 2.0


def get_inputs():
    return [torch.rand(batch_size, input_size)]


def get_init_inputs():
    return [input_size, hidden_size, scaling_factor]
