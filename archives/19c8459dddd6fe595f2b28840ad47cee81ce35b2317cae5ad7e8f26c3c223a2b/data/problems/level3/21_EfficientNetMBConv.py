import torch
import torch.nn as nn


class Model(nn.Module):
    """
    EfficientNet MBConv block: a 1 x 1 expansion, a depthwise convolution and a 1 x 1 projection,
    each with batch normalisation, the first two with ReLU6.

    x: [batch_size, in_channels, height, width];
    output: [batch_size, out_channels, height / stride, width / stride], rounded up.

    There is no squeeze-and-excitation. The input is added only where stride is 1 and the channels
    agree; an expand_ratio of 1 leaves the expansion out.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        expand_ratio: int,
    ):
        super().__init__()
        self.residual = stride == 1 and in_channels == out_channels
        hidden = in_channels * expand_ratio
        self.expand_conv = None
        if expand_ratio != 1:
            self.expand_conv = nn.Sequential(
                nn.Conv2d(in_channels, hidden, 1, bias=False),
                nn.BatchNorm2d(hidden),
                nn.ReLU6(),
            )
        self.depthwise_conv = nn.Sequential(
            nn.Conv2d(
                hidden,
                hidden,
                kernel_size,
                stride=stride,
                padding=(kernel_size - 1) // 2,
                groups=hidden,
                bias=False,
            ),
            nn.BatchNorm2d(hidden),
            nn.ReLU6(),
        )
        self.project_conv = nn.Sequential(
            nn.Conv2d(hidden, out_channels, 1, bias=False),
            nn.BatchNorm2d(out_channels),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = x if self.expand_conv is None else self.expand_conv(x)
        out = self.project_conv(self.depthwise_conv(out))
        if self.residual:
            out += x
        return out


batch_size = 10
in_channels = 112
out_channels = 192
height = 224
width = 224
kernel_size = 5
stride = 2
expand_ratio = 6


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, stride, expand_ratio]
