import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    ResNet basic block: two 3 x 3 convolutions with batch normalisation, added to a projection of
    the input.

    x: [batch_size, in_channels, height, width];
    output: [batch_size, out_channels, height / stride, width / stride], rounded up.

    The shortcut is always a 1 x 1 convolution with batch normalisation, never the input itself.
    """

    def __init__(self, in_channels: int, out_channels: int, stride: int):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, out_channels, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(out_channels)
        self.conv2 = nn.Conv2d(out_channels, out_channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(out_channels)
        self.downsample = nn.Sequential(
            nn.Conv2d(in_channels, out_channels, 1, stride=stride, bias=False),
            nn.BatchNorm2d(out_channels),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += self.downsample(x)
        return F.relu(out)


batch_size = 10
in_channels = 3
out_channels = 64
height = 224
width = 224
stride = 1


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, stride]
