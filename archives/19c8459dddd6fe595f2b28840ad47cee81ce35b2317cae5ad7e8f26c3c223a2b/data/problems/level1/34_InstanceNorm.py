import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Instance normalisation: each channel of each image is normalised over its own pixels.

    x: [batch_size, num_features, height, width]; output: the same shape.

    There is no learned scale or shift and there are no running statistics, so num_features sizes
    nothing.
    """

    def __init__(self, num_features: int):
        super().__init__()
        self.inorm = nn.InstanceNorm2d(num_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inorm(x)


batch_size = 112
num_features = 64
height = 512
width = 512


def get_inputs():
    return [torch.rand(batch_size, num_features, height, width)]


def get_init_inputs():
    return [num_features]
