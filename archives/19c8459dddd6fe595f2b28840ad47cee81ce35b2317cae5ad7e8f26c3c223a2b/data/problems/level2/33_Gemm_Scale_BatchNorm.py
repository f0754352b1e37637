import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Linear layer, a learned scale per feature, batch normalisation.

    x: [batch_size, in_features]; output: [batch_size, out_features].

    Up to eps, the normalisation cancels the scale (all but its sign) and the linear bias.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        scale_shape: tuple,
        eps: float = 1e-5,
        momentum: float = 0.1,
    ):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.scale = nn.Parameter(torch.randn(scale_shape))
        self.bn = nn.BatchNorm1d(out_features, eps=eps, momentum=momentum)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.bn(self.gemm(x) * self.scale)


batch_size = 1024
in_features = 8192
out_features = 8192


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, (out_features,)]
