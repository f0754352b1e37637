import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Linear layer, minimum with a constant, and that constant subtracted.

    x: [batch_size, in_features]; output: [batch_size, out_features]. The constant is a scalar
    parameter of the module.
    """

    def __init__(self, in_features: int, out_features: int, constant: float):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.constant = nn.Parameter(torch.tensor(constant))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.min(self.linear(x), self.constant)
        return x - self.constant


batch_size = 128
in_features = 16384
out_features = 16384
constant = 2.0


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, constant]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
