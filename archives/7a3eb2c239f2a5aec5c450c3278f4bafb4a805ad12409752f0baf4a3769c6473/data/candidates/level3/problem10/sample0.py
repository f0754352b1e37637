import torch
import torch.nn as nn
import torch.nn.functional as F


class Bottleneck(nn.Module):
    """
    1 x 1, 3 x 3 and 1 x 1 convolutions with batch normalisation, added to the input or to its
    projection. The output has four times as many channels as the inner maps.
    """

    def __init__(self, in_channels: int, channels: int, stride: int):
        super().__init__()
        out_channels = 4 * channels
        # Built first, so that it draws its weights first; registered last.
        downsample = None
        if stride != 1 or in_channels != out_channels:
            downsample = nn.Sequential(
                nn.Conv2d(in_channels, out_channels, 1, stride=stride, bias=False),
                nn.BatchNorm2d(out_channels),
            )
        self.conv1 = nn.Conv2d(in_channels, channels, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, stride=stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.conv3 = nn.Conv2d(channels, out_channels, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(out_channels)
        self.downsample = downsample

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = F.relu(self.bn1(self.conv1(x)))
        out = F.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += x if self.downsample is None else self.downsample(x)
        return F.relu(out)


def stage(in_channels: int, channels: int, blocks: int, stride: int) -> nn.Sequential:
    chain = [Bottleneck(in_channels, channels, stride)]
    for _ in range(blocks - 1):
        chain.append(Bottleneck(4 * channels, channels, 1))
    return nn.Sequential(*chain)


class Model(nn.Module):
    """
    ResNet of bottleneck blocks; layers says how many blocks each of the four stages has
    (ResNet-101: 3, 4, 23, 3).

    x: [batch_size, 3, height, width]; output: [batch_size, num_classes].
    """

    def __init__(self, layers: list, num_classes: int):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.maxpool = nn.MaxPool2d(3, stride=2, padding=1)
        self.layer1 = stage(64, 64, layers[0], 1)
        self.layer2 = stage(256, 128, layers[1], 2)
        self.layer3 = stage(512, 256, layers[2], 2)
        self.layer4 = stage(1024, 512, layers[3], 2)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(2048, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.maxpool(F.relu(self.bn1(self.conv1(x))))
        x = self.layer1(x)
        x = self.layer2(x)
        x = self.layer3(x)
        x = self.layer4(x)
        return self.fc(torch.flatten(self.avgpool(x), 1))


batch_size = 10
height = 224
width = 224
layers = [3, 4, 23, 3]
num_classes = 1000


def get_inputs():
    return [torch.rand(batch_size, 3, height, width)]


def get_init_inputs():
    return [layers, num_classes]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
