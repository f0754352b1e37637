import torch
import torch.nn as nn
import torch.nn.functional as F


class DenseBlock(nn.Module):
    """
    Layers of which each reads the block's input and all earlier layers' outputs, joined along
    channels, and adds growth_rate channels.
    """

    def __init__(self, num_layers: int, in_features: int, growth_rate: int):
        super().__init__()
        self.layers = nn.ModuleList()
        for i in range(num_layers):
            features = in_features + i * growth_rate
            self.layers.append(
                nn.Sequential(
                    nn.BatchNorm2d(features),
                    nn.ReLU(),
                    nn.Conv2d(features, growth_rate, 3, padding=1, bias=False),
                    nn.Dropout(0.0),
                )
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        parts = [x]
        for layer in self.layers:
            parts.append(layer(x))
            x = torch.cat(parts, 1)
        return x


class Transition(nn.Module):
    """
    Changes the number of channels and halves the maps' sides.
    """

    def __init__(self, in_features: int, out_features: int):
        super().__init__()
        self.transition = nn.Sequential(
            nn.BatchNorm2d(in_features),
            nn.ReLU(),
            nn.Conv2d(in_features, out_features, 1, bias=False),
            nn.AvgPool2d(2),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.transition(x)


class Model(nn.Module):
    """
    DenseNet-201 without 1 x 1 bottlenecks: four dense blocks with transitions between them.

    x: [batch_size, 3, height, width]; output: [batch_size, num_classes].

    Dropout is there with probability 0.
    """

    def __init__(self, growth_rate: int, num_classes: int):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False),
            nn.BatchNorm2d(64),
            nn.ReLU(),
            nn.MaxPool2d(3, stride=2, padding=1),
        )
        self.dense_blocks = nn.ModuleList()
        self.transition_layers = nn.ModuleList()
        block_sizes = [6, 12, 48, 32]
        features = 64
        for i, num_layers in enumerate(block_sizes):
            self.dense_blocks.append(DenseBlock(num_layers, features, growth_rate))
            features += num_layers * growth_rate
            if i < len(block_sizes) - 1:
                self.transition_layers.append(Transition(features, features // 2))
                features //= 2
        self.final_bn = nn.BatchNorm2d(features)
        self.classifier = nn.Linear(features, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.features(x)
        for block, transition in zip(self.dense_blocks, self.transition_layers):
            x = transition(block(x))
        x = self.dense_blocks[-1](x)
        x = F.relu(self.final_bn(x), inplace=True)
        x = F.adaptive_avg_pool2d(x, (1, 1))
        return self.classifier(x.view(x.size(0), -1))


batch_size = 10
height = 224
width = 224
growth_rate = 32
num_classes = 10


def get_inputs():
    return [torch.rand(batch_size, 3, height, width)]


def get_init_inputs():
    return [growth_rate, num_classes]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
