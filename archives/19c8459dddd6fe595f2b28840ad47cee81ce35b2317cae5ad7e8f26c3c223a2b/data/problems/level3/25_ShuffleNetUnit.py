import torch
import torch.nn as nn
import torch.nn.functional as F


def shuffle_channels(x: torch.Tensor, groups: int) -> torch.Tensor:
    batch, channels, height, width = x.shape
    x = x.view(batch, groups, channels // groups, height, width)
    x = x.transpose(1, 2).contiguous()
    return x.view(batch, -1, height, width)


class Model(nn.Module):
    """
    ShuffleNet unit: a grouped 1 x 1 convolution, a depthwise 3 x 3 convolution, a shuffle of the
    channels across groups and a second grouped 1 x 1 convolution, added to a shortcut.

    x: [batch_size, in_channels, height, width]; output: [batch_size, out_channels, height, width].

    The inner maps have out_channels // 4 channels, a multiple of groups. The stride is always 1,
    and the sum has no ReLU after it: the last ReLU comes before the shortcut is added.
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


batch_size = 10
in_channels = 240
out_channels = 480
height = 224
width = 224
groups = 3


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, groups]
