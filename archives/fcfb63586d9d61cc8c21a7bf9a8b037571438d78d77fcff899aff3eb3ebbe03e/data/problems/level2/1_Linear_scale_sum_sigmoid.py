import torch
import torch.nn as nn


class Model(nn.Module):
    """A linear layer, scaled, summed over its features, through a sigmoid."""

    def __init__(self, in_features: int, out_features: int, scale: float):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scale = scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.linear(x) * self.scale
        x = torch.sum(x, dim=1, keepdim=True)
        return torch.sigmoid(x)


batch_size = 256
in_features = 512
out_features = 256
scale = 0.1


def get_inputs():
    return [torch.randn(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, scale]
