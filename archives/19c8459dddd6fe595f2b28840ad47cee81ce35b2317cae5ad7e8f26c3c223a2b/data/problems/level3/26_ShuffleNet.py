from typing import Sequence

import torch
import torch.nn as nn
import torch.nn.functional as F


def shuffle_channels(x: torch.Tensor, groups: int) -> torch.Tensor:
    batch, channels, height, width = x.shape
    x = x.view(batch, groups, channels // groups, height, width)
    x = x.transpose(1, 2).contiguous()
    return x.view(batch, -1, height, width)


class ShuffleUnit(nn.Module):
    """
    Grouped 1 x 1, depthwise 3 x 3 and grouped 1 x 1 convolutions with a shuffle of the channels
    before the last; the shortcut is added after the last ReLU.
    """

    def __init__(self, in_channels: int, out_channels: int, groups: int):
        super().__init__()
        self.groups = groups
        mid = out_channels // 4
        self.conv1 = nn.Conv2d(in_channels, mid, 1, groups=groups, bias=False)
        self.bn1 = nn.BatchNorm2d(mid)
        self.conv2 = nn.Conv2d(mid, mid, 3, padding=1, groups=mid, bias=False)
        self.bn2 = nn.BatchNorm2d(mid)
        self.conv3 = nn.Conv2d(mid, out_channels, 1, groups=groups, bias=False)
        self.bn3 = nn.BatchNorm2d(out_channels)
        self.shortcut = nn.Identity()
        if in_channels != out_channels:
            self.shortcut = nn.Sequential(
                nn.Conv2d(in_channels, out_channels, 1, bias=False),
                nn.BatchNorm2d(out_channels),
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out = shuffle_channels(out, self.groups)
        out = F.relu(self.bn3(self.conv3(out)))
        out += self.shortcut(x)
        return out


def stage(in_channels: int, out_channels: int, units: int, groups: int) -> nn.Sequential:
    chain = [ShuffleUnit(in_channels, out_channels, groups)]
    for _ in range(units - 1):
        chain.append(ShuffleUnit(out_channels, out_channels, groups))
    return nn.Sequential(*chain)


class Model(nn.Module):
    """
    ShuffleNet whose stages keep the maps' size: every unit has stride 1.

    x: [batch_size, 3, height, width]; output: [batch_size, num_classes].

    stages_out_channels has the stem's width and then those of the three stages, whose numbers of
    units stages_repeats has; widths over four are multiples of groups.
    """

    def __init__(
        self,
        num_classes: int,
        groups: int = 3,
        stages_repeats: Sequence[int] = (3, 7, 3),
        stages_out_channels: Sequence[int] = (24, 240, 480, 960),
    ):
        super().__init__()
        stem, wide2, wide3, wide4 = stages_out_channels
        self.conv1 = nn.Conv2d(3, stem, 3, stride=2, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(stem)
        self.maxpool = nn.MaxPool2d(3, stride=2, padding=1)
        self.stage2 = stage(stem, wide2, stages_repeats[0], groups)
        self.stage3 = stage(wide2, wide3, stages_repeats[1], groups)
        self.stage4 = stage(wide3, wide4, stages_repeats[2], groups)
        self.conv5 = nn.Conv2d(wide4, 1024, 1, bias=False)
        self.bn5 = nn.BatchNorm2d(1024)
        self.fc = nn.Linear(1024, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.maxpool(F.relu(self.bn1(self.conv1(x))))
        x = self.stage2(x)
        x = self.stage3(x)
        x = self.stage4(x)
        x = F.relu(self.bn5(self.conv5(x)))
        x = F.adaptive_avg_pool2d(x, (1, 1))
        return self.fc(x.view(x.size(0), -1))


batch_size = 10
height = 224
width = 224
num_classes = 1000


def get_inputs():
    return [torch.rand(batch_size, 3, height, width)]


def get_init_inputs():
    return [num_classes]
