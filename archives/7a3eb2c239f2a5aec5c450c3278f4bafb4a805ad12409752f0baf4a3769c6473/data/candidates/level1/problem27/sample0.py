import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Elementwise scaled exponential linear unit.

    x: [batch_size, features]; output: the same shape.

    The inputs lie in [0, 1), where the operation is a multiplication by SELU's scale.
    """

    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.selu(x)


batch_size = 4096
features = 393216


def get_inputs():
    return [torch.rand(batch_size, features)]


def get_init_inputs():
    return []


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
