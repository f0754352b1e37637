import torch
import torch.nn as nn


class Model(nn.Module):
    """
    GoogLeNet inception module: four parallel branches over the same maps, joined along channels.

    x: [batch_size, in_channels, height, width];
    output: [batch_size, out_1x1 + out_3x3 + out_5x5 + pool_proj, height, width].

    The convolutions are linear one after the other: no activation, no normalisation.
    """

    def __init__(
        self,
        in_channels: int,
        out_1x1: int,
        reduce_3x3: int,
        out_3x3: int,
        reduce_5x5: int,
        out_5x5: int,
        pool_proj: int,
    ):
        super().__init__()
        self.branch1x1 = nn.Conv2d(in_channels, out_1x1, 1)
        self.branch3x3 = nn.Sequential(
            nn.Conv2d(in_channels, reduce_3x3, 1),
            nn.Conv2d(reduce_3x3, out_3x3, 3, padding=1),
        )
        self.branch5x5 = nn.Sequential(
            nn.Conv2d(in_channels, reduce_5x5, 1),
            nn.Conv2d(reduce_5x5, out_5x5, 5, padding=2),
        )
        self.branch_pool = nn.Sequential(
            nn.MaxPool2d(3, stride=1, padding=1),
            nn.Conv2d(in_channels, pool_proj, 1),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        branches = [self.branch1x1, self.branch3x3, self.branch5x5, self.branch_pool]
        return torch.cat([branch(x) for branch in branches], 1)


batch_size = 10
in_channels = 480
height = 224
width = 224
out_1x1 = 192
reduce_3x3 = 96
out_3x3 = 208
reduce_5x5 = 16
out_5x5 = 48
pool_proj = 64


def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_1x1, reduce_3x3, out_3x3, reduce_5x5, out_5x5, pool_proj]
