import torch
import torch.nn as nn


def conv_bn(in_channels: int, out_channels: int, kernel_size: int, **options) -> list:
    return [
        nn.Conv2d(in_channels, out_channels, kernel_size, bias=False, **options),
        nn.BatchNorm2d(out_channels),
    ]


def inverted_bottleneck(
    in_channels: int, out_channels: int, stride: int, expansion: int
) -> nn.Sequential:
    hidden = in_channels * expansion
    layers = []
    if expansion != 1:
        layers += [*conv_bn(in_channels, hidden, 1), nn.ReLU6()]
    layers += conv_bn(hidden, hidden, 3, stride=stride, padding=1, groups=hidden)
    layers.append(nn.ReLU6())
    layers += conv_bn(hidden, out_channels, 1)
    return nn.Sequential(*layers)


class Model(nn.Module):
    """
    MobileNet v2 without its residual connections: no block adds its input to its output.

    x: [batch_size, 3, height, width]; output: [batch_size, num_classes].

    Convolutions start from Kaiming normal over the fan-out, the classifier from normal(0, 0.01)
    with a bias of 0. Dropout is there with probability 0.
    """

    def __init__(self, num_classes: int):
        super().__init__()
        # Rows: expansion, channels, number of blocks, stride of the first.
        plan = [
            (1, 16, 1, 1),
            (6, 24, 2, 2),
            (6, 32, 3, 2),
            (6, 64, 4, 2),
            (6, 96, 3, 1),
            (6, 160, 3, 2),
            (6, 320, 1, 1),
        ]
        channels = 32
        layers = [*conv_bn(3, channels, 3, stride=2, padding=1), nn.ReLU6()]
        for expansion, out_channels, blocks, stride in plan:
            for i in range(blocks):
                first = stride if i == 0 else 1
                layers.append(inverted_bottleneck(channels, out_channels, first, expansion))
                channels = out_channels
        layers += [*conv_bn(channels, 1280, 1), nn.ReLU6()]
        layers.append(nn.AdaptiveAvgPool2d((1, 1)))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(0.0), nn.Linear(1280, num_classes))
        self.apply(self.reset)

    @staticmethod
    def reset(module: nn.Module):
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out")
        elif isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, 0.0, 0.01)
            nn.init.zeros_(module.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.features(x)
        return self.classifier(x.view(x.size(0), -1))


batch_size = 10
height = 224
width = 224
num_classes = 1000


def get_inputs():
    return [torch.rand(batch_size, 3, height, width)]


def get_init_inputs():
    return [num_classes]
