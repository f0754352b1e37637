import torch
import torch.nn as nn


class Model(nn.Module):
    """
    3D transposed convolution, max pooling by 2 and then by 3, and the sum over channels.

    x: [batch_size, in_channels, depth, height, width];
    output: [batch_size, 1, depth', height', width'] where each side is
    (n - 1) * stride - 2 * padding + kernel_size, divided by 2 and by 3, rounded down each time.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int,
        padding: int,
    ):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding
        )
        self.max_pool1 = nn.MaxPool3d(2)
        self.max_pool2 = nn.MaxPool3d(3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.max_pool2(self.max_pool1(self.conv_transpose(x)))
        return torch.sum(x, dim=1, keepdim=True)


batch_size = 16
in_channels = 32
out_channels = 64
depth = 32
height = 32
width = 32
kernel_size = 5
stride = 2
padding = 2


def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, stride, padding]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
