import torch
import torch.nn as nn
import torch.nn.functional as F


def mbconv(in_channels: int, out_channels: int, stride: int, expand_ratio: int) -> nn.Sequential:
    hidden = in_channels * expand_ratio
    return nn.Sequential(
        nn.Conv2d(in_channels, hidden, 1, bias=False),
        nn.BatchNorm2d(hidden),
        nn.ReLU6(),
        nn.Conv2d(hidden, hidden, 3, stride=stride, padding=1, groups=hidden, bias=False),
        nn.BatchNorm2d(hidden),
        nn.ReLU6(),
        nn.Conv2d(hidden, out_channels, 1, bias=False),
        nn.BatchNorm2d(out_channels),
    )


class Model(nn.Module):
    """
    Network of seven MBConv blocks with the stage widths of EfficientNet-B1.

    x: [batch_size, 3, height, width]; output: [batch_size, num_classes].

    Unlike EfficientNet-B1 it has one block per stage, 3 x 3 kernels only, no residual and no
    squeeze-and-excitation; the expansion is there for a ratio of 1 too.
    """

    def __init__(self, num_classes: int):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, 3, stride=2, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(32)
        self.mbconv1 = mbconv(32, 16, 1, 1)
        self.mbconv2 = mbconv(16, 24, 2, 6)
        self.mbconv3 = mbconv(24, 40, 2, 6)
        self.mbconv4 = mbconv(40, 80, 2, 6)
        self.mbconv5 = mbconv(80, 112, 1, 6)
        self.mbconv6 = mbconv(112, 192, 2, 6)
        self.mbconv7 = mbconv(192, 320, 1, 6)
        self.conv2 = nn.Conv2d(320, 1280, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(1280)
        self.fc = nn.Linear(1280, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.bn1(self.conv1(x)))
        x = self.mbconv1(x)
        x = self.mbconv2(x)
        x = self.mbconv3(x)
        x = self.mbconv4(x)
        x = self.mbconv5(x)
        x = self.mbconv6(x)
        x = self.mbconv7(x)
        x = F.relu(self.bn2(self.conv2(x)))
        x = torch.flatten(F.adaptive_avg_pool2d(x, (1, 1)), 1)
        return self.fc(x)


batch_size = 10
height = 240
width = 240
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
