import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Root-mean-square normalisation over the channels of every pixel.

    x: [batch_size, num_features, height, width]; output: the same shape.

    There is no learned scale; num_features is kept but not used in the computation.
    """

    def __init__(self, num_features: int, eps: float = 1e-5):
        super().__init__()
        self.num_features = num_features
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rms = torch.sqrt(torch.mean(x**2, dim=1, keepdim=True) + self.eps)
        return x / rms


batch_size = 112
num_features = 64
height = 512
width = 512


def get_inputs():
    return [torch.rand(batch_size, num_features, height, width)]


def get_init_inputs():
    return [num_features]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
