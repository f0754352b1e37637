import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    SqueezeNet fire module: a 1 x 1 convolution to few channels, then 1 x 1 and 3 x 3 convolutions
    of those side by side, joined along channels; ReLU after each of the three.

    x: [batch_size, in_channels, height, width];
    output: [batch_size, expand1x1_channels + expand3x3_channels, height, width].
    """

    def __init__(
        self,
        in_channels: int,
        squeeze_channels: int,
        expand1x1_channels: int,
        expand3x3_channels: int,
    ):
        super().__init__()
        self.squeeze = nn.Conv2d(in_channels, squeeze_channels, 1)
        self.expand1x1 = nn.Conv2d(squeeze_channels, expand1x1_channels, 1)
        self.expand3x3 = nn.Conv2d(squeeze_channels, expand3x3_channels, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.squeeze(x))
        narrow = F.relu(self.expand1x1(x))
        wide = F.relu(self.expand3x3(x))
        return torch.cat([narrow, wide], 1)


batch_size = 128
in_channels = 3
height = 256
width = 256
squeeze_channels = 6
expand1x1_channels = 64
expand3x3_channels = 64


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, squeeze_channels, expand1x1_channels, expand3x3_channels]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
