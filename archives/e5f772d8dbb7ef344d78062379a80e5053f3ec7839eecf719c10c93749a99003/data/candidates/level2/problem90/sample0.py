"""Convolution without its bias; bias and all that follows become one kernel."""
import torch
import torch.nn.functional as F


@torch.compile
def finish(x, bias, term):
    x = F.leaky_relu(x + bias.view(1, -1, 1, 1, 1), negative_slope=0.2)
    return F.gelu(torch.clamp(x + term, min=-1.0, max=1.0))


class ModelNew(torch.nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, sum_tensor_shape):
        super().__init__()
        self.conv = torch.nn.Conv3d(in_channels, out_channels, kernel_size)
        self.sum_tensor = torch.nn.Parameter(torch.randn(sum_tensor_shape))

    def forward(self, x):
        return finish(F.conv3d(x, self.conv.weight), self.conv.bias,
                      self.sum_tensor)
