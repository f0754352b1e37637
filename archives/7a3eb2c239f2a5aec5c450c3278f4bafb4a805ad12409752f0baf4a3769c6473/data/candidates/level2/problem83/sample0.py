import torch
import torch.nn as nn


class Model(nn.Module):
    """
    3D convolution, group normalization, minimum with a constant, clamp and dropout.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, out_channels, depth', height', width'] where each side is
    n - kernel_size + 1.

    The constructor takes min_value and max_value but does not use them: forward reads this file's
    sizes of those names. With min_value = 0 nothing positive survives the minimum and nothing
    negative the clamp, so the output is zero everywhere.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        groups: int,
        min_value: float,
        max_value: float,
        dropout_p: float,
    ):
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.norm = nn.GroupNorm(groups, out_channels)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.norm(self.conv(x))
        x = torch.min(x, torch.tensor(min_value, device=x.device))
        x = torch.clamp(x, min=min_value, max=max_value)
        return self.dropout(x)


batch_size = 128
in_channels = 3
out_channels = 16
depth = 16
height = 64
width = 64
kernel_size = 3
groups = 8
min_value = 0.0
max_value = 1.0
dropout_p = 0.2


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, groups, min_value, max_value, dropout_p]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
