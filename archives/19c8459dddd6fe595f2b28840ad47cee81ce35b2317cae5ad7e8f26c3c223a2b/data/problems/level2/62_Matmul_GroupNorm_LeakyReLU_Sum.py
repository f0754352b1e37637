import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Linear layer, group normalization and leaky ReLU, the result added to itself.

    x: [batch_size, input_size]; output: [batch_size, hidden_size].
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_groups: int,
        eps: float = 1e-5,
        negative_slope: float = 0.01,
    ):
        super().__init__()
        self.fc = nn.Linear(input_size, hidden_size)
        self.gn = nn.GroupNorm(num_groups, hidden_size, eps=eps)
        self.leaky_relu = nn.LeakyReLU(negative_slope=negative_slope)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.leaky_relu(self.gn(self.fc(x)))
        return x + x


batch_size = 1024
input_size = 8192
hidden_size = 8192
num_groups = 512


def get_inputs():
    return [torch.rand(batch_size, input_size)]


def get_init_inputs():
    return [input_size, hidden_size, num_groups]
