import torch
import torch.nn as nn


class Model(nn.Module):
    """
    DenseNet transition: batch normalisation, ReLU, a 1 x 1 convolution without bias and a 2 x 2
    average pooling.

    x: [batch_size, num_input_features, height, width];
    output: [batch_size, num_output_features, height // 2, width // 2].
    """

    def __init__(self, num_input_features: int, num_output_features: int):
        super().__init__()
        self.transition = nn.Sequential(
            nn.BatchNorm2d(num_input_features),
            nn.ReLU(),
            nn.Conv2d(num_input_features, num_output_features, 1, bias=False),
            nn.AvgPool2d(2),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.transition(x)


batch_size = 128
num_input_features = 32
num_output_features = 64
height = 256
width = 256


def get_inputs():
    return [torch.rand(batch_size, num_input_features, height, width)]


def get_init_inputs():
    return [num_input_features, num_output_features]
