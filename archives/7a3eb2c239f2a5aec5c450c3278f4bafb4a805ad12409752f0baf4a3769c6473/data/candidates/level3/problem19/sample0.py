import torch
import torch.nn as nn


def conv_bn(in_channels: int, out_channels: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(in_channels, out_channels, 3, stride=stride, padding=1, bias=False),
        nn.BatchNorm2d(out_channels),
        nn.ReLU(),
    )


def separable(in_channels: int, out_channels: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(
            in_channels,
            in_channels,
            3,
            stride=stride,
            padding=1,
            groups=in_channels,
            bias=False,
        ),
        nn.BatchNorm2d(in_channels),
        nn.ReLU(),
        nn.Conv2d(in_channels, out_channels, 1, bias=False),
        nn.BatchNorm2d(out_channels),
        nn.ReLU(),
    )


class Model(nn.Module):
    """
    MobileNet v1: depthwise separable convolutions, all widths scaled by alpha.

    x: [batch_size, input_channels, height, width]; output: [batch_size, num_classes].

    The last maps must be 7 x 7: height and width of 193 to 224.
    """

    def __init__(self, num_classes: int, input_channels: int, alpha: float):
        super().__init__()
        plan = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)]
        plan += [(512, 1)] * 5
        plan += [(1024, 2), (1024, 1)]
        channels = int(32 * alpha)
        layers = [conv_bn(input_channels, channels, 2)]
        for base, stride in plan:
            out_channels = int(base * alpha)
            layers.append(separable(channels, out_channels, stride))
            channels = out_channels
        layers.append(nn.AvgPool2d(7))
        self.model = nn.Sequential(*layers)
        self.fc = nn.Linear(channels, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.model(x)
        return self.fc(x.view(x.size(0), -1))


batch_size = 10
input_channels = 3
height = 224
width = 224
num_classes = 1000
alpha = 1.0


def get_inputs():
    return [torch.rand(batch_size, input_channels, height, width)]


def get_init_inputs():
    return [num_classes, input_channels, alpha]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
