import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Linear layer whose result is scaled by a constant and added to its unscaled self.

    x: [batch_size, in_features]; output: [batch_size, out_features].

    The unscaled term is a detached copy; this has no effect on the forward values.
    """

    def __init__(self, in_features: int, out_features: int, scaling_factor: float):
        super().__init__()
        self.matmul = nn.Linear(in_features, out_features)
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.matmul(x)
        residual = x.clone().detach()
        return x * self.scaling_factor + residual


batch_size = 16384
in_features = 4096
out_features = 4096
scaling_factor = 0.5


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, scaling_factor]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
