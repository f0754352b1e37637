import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Dilated max pooling of sequences.

    x: [batch_size, features, length]; output: [batch_size, features, pooled length].
    """

    def __init__(
        self,
        kernel_size: int,
        stride: int,
        padding: int,
        dilation: int,
        return_indices: bool,
    ):
        super().__init__()
        self.maxpool = nn.MaxPool1d(
            kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            return_indices=return_indices,
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.maxpool(x)


batch_size = 64
features = 192
length = 65536
kernel_size = 8
stride = 1
padding = 4
dilation = 3
return_indices = False


def get_inputs():
    return [torch.rand(batch_size, features, length)]


def get_init_inputs():
    return [kernel_size, stride, padding, dilation, return_indices]
