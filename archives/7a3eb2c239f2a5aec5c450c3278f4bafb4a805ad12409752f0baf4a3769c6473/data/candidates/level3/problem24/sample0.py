import torch
import torch.nn as nn
import torch.nn.functional as F


def mbconv(in_channels: int, out_channels: int, stride: int, expand_ratio: int) -> nn.Sequential:
    hidden = in_channels * expand_ratio
    return nn.Sequential(
        nn.Conv2d(in_channels, hidden, 1, bias=False),
        nn.BatchNorm2d(hidden),
        nn.ReLU(),
        nn.Conv2d(hidden, hidden, 3, stride=stride, padding=1, groups=hidden, bias=False),
        nn.BatchNorm2d(hidden),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d((1, 1)),
        nn.Conv2d(hidden, hidden // 4, 1, bias=False),
        nn.ReLU(),
        nn.Conv2d(hidden // 4, hidden, 1, bias=False),
        nn.Sigmoid(),
        nn.Conv2d(hidden, out_channels, 1, bias=False),
        nn.BatchNorm2d(out_channels),
    )


class Model(nn.Module):
    """
    Network of five MBConv blocks after EfficientNet-B2.

    x: [batch_size, 3, height, width]; output: [batch_size, num_classes].

    The squeeze-and-excitation gates replace the maps instead of scaling them, so from the first
    block on the maps are 1 x 1 and batch normalisation sees batch_size values per channel.
    """

    def __init__(self, num_classes: int):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, 3, stride=2, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(32)
        self.mbconv1 = mbconv(32, 96, 1, 3)
        self.mbconv2 = mbconv(96, 144, 2, 6)
        self.mbconv3 = mbconv(144, 192, 2, 6)
        self.mbconv4 = mbconv(192, 288, 2, 6)
        self.mbconv5 = mbconv(288, 384, 1, 6)
        self.conv_final = nn.Conv2d(384, 1408, 1, bias=False)
        self.bn_final = nn.BatchNorm2d(1408)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(1408, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.bn1(self.conv1(x)))
        x = self.mbconv1(x)
        x = self.mbconv2(x)
        x = self.mbconv3(x)
        x = self.mbconv4(x)
        x = self.mbconv5(x)
        x = F.relu(self.bn_final(self.conv_final(x)))
        x = torch.flatten(self.avgpool(x), 1)
        return self.fc(x)


batch_size = 2
height = 224
width = 224
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
