import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Shallow and wide multilayer perceptron: a biased linear layer and ReLU for every hidden size,
    then a last linear layer.

    x: [batch_size, input_size]; output: [batch_size, output_size].
    """

    def __init__(self, input_size: int, hidden_layer_sizes: list, output_size: int):
        super().__init__()
        sizes = [input_size, *hidden_layer_sizes]
        layers = []
        for fan_in, fan_out in zip(sizes, sizes[1:]):
            layers += [nn.Linear(fan_in, fan_out), nn.ReLU()]
        layers.append(nn.Linear(sizes[-1], output_size))
        self.network = nn.Sequential(*layers)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.network(x)


batch_size = 128
input_size = 16384
hidden_layer_sizes = [32768, 32768]
output_size = 16384


def get_inputs():
    return [torch.rand(batch_size, input_size)]


def get_init_inputs():
    return [input_size, hidden_layer_sizes, output_size]
