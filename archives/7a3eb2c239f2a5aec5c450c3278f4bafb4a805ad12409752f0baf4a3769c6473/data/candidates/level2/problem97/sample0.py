import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Linear layer, batch normalization, one scalar bias, division by a constant and swish.

    x: [batch_size, in_features]; output: [batch_size, out_features].
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bn_eps: float,
        bn_momentum: float,
        bias_shape: tuple,
        divide_value: float,
    ):
        super().__init__()
        self.matmul = nn.Linear(in_features, out_features)
        self.bn = nn.BatchNorm1d(out_features, eps=bn_eps, momentum=bn_momentum)
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.divide_value = divide_value

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.bn(self.matmul(x))
        x = (x + self.bias) / self.divide_value
        return x * torch.sigmoid(x)


batch_size = 1024
in_features = 8192
out_features = 8192
bn_eps = 1e-5
bn_momentum = 0.1
bias_shape = (1,)
divide_value = 1.0


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, bn_eps, bn_momentum, bias_shape, divide_value]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
