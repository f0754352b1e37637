import torch
import torch.nn as nn


def dense_layer(in_features: int, growth_rate: int) -> nn.Sequential:
    return nn.Sequential(
        nn.BatchNorm2d(in_features),
        nn.ReLU(),
        nn.Conv2d(in_features, growth_rate, 3, padding=1, bias=False),
        nn.Dropout(0.0),
    )


class Model(nn.Module):
    """
    DenseNet block: every layer reads the block's input and all earlier layers' outputs, joined
    along channels, and adds growth_rate channels.

    x: [batch_size, num_input_features, height, width];
    output: [batch_size, num_input_features + num_layers * growth_rate, height, width].

    The layers have no 1 x 1 bottleneck. Dropout is there with probability 0.
    """

    def __init__(self, num_layers: int, num_input_features: int, growth_rate: int):
        super().__init__()
        self.layers = nn.ModuleList(
            dense_layer(num_input_features + i * growth_rate, growth_rate)
            for i in range(num_layers)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        parts = [x]
        for layer in self.layers:
            parts.append(layer(x))
            x = torch.cat(parts, 1)
        return x


batch_size = 10
num_layers = 6
num_input_features = 32
growth_rate = 32
height = 224
width = 224


def get_inputs():
    return [torch.rand(batch_size, num_input_features, height, width)]


def get_init_inputs():
    return [num_layers, num_input_features, growth_rate]
