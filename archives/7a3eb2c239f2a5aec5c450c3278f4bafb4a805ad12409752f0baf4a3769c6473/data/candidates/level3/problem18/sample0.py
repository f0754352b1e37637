import torch
import torch.nn as nn
import torch.nn.functional as F


class Fire(nn.Module):
    """
    A 1 x 1 convolution to few channels, then 1 x 1 and 3 x 3 convolutions of those side by side,
    each to expand_channels channels.
    """

    def __init__(self, in_channels: int, squeeze_channels: int, expand_channels: int):
        super().__init__()
        self.squeeze = nn.Conv2d(in_channels, squeeze_channels, 1)
        self.expand1x1 = nn.Conv2d(squeeze_channels, expand_channels, 1)
        self.expand3x3 = nn.Conv2d(squeeze_channels, expand_channels, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.squeeze(x))
        narrow = F.relu(self.expand1x1(x))
        wide = F.relu(self.expand3x3(x))
        return torch.cat([narrow, wide], 1)


class Model(nn.Module):
    """
    SqueezeNet 1.0.

    x: [batch_size, 3, height, width]; output: [batch_size, num_classes].

    The poolings round their output sizes up. Dropout is there with probability 0.
    """

    def __init__(self, num_classes: int):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 96, 7, stride=2),
            nn.ReLU(),
            nn.MaxPool2d(3, stride=2, ceil_mode=True),
            Fire(96, 16, 64),
            Fire(128, 16, 64),
            Fire(128, 32, 128),
            nn.MaxPool2d(3, stride=2, ceil_mode=True),
            Fire(256, 32, 128),
            Fire(256, 48, 192),
            Fire(384, 48, 192),
            Fire(384, 64, 256),
            nn.MaxPool2d(3, stride=2, ceil_mode=True),
            Fire(512, 64, 256),
        )
        self.classifier = nn.Sequential(
            nn.Dropout(0.0),
            nn.Conv2d(512, num_classes, 1),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d((1, 1)),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.flatten(self.classifier(self.features(x)), 1)


batch_size = 64
height = 512
width = 512
num_classes = 1000


def get_inputs():
    return [torch.rand(batch_size, 3, height, width)]


def get_init_inputs():
    return [num_classes]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
