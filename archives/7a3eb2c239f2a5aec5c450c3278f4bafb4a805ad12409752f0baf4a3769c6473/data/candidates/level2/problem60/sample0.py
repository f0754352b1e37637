import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    3D transposed convolution, swish, group normalization and hard swish.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, out_channels, depth', height', width'] where each side is
    (n - 1) * stride - 2 * padding + kernel_size.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
        groups: int,
        eps: float,
        bias: bool = True,
    ):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding, bias=bias
        )
        self.group_norm = nn.GroupNorm(groups, out_channels, eps=eps)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x)
        x = torch.sigmoid(x) * x
        return F.hardswish(self.group_norm(x))


batch_size = 128
in_channels = 3
out_channels = 16
depth = 16
height = 32
width = 32
kernel_size = 3
stride = 2
padding = 1
groups = 4
eps = 1e-5


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, stride, padding, groups, eps]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
