import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Mean hinge loss of predictions against signs.

    predictions: [batch_size, features]; targets: -1.0 or 1.0, [features]; output: a scalar.

    The targets broadcast over the rows: there is one sign for every column, not for every row.
    """

    def __init__(self):
        super().__init__()

    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return torch.mean(torch.clamp(1 - predictions * targets, min=0))


batch_size = 32768
features = 32768


def get_inputs():
    predictions = torch.rand(batch_size, features)
    targets = torch.randint(0, 2, (features,)).float() * 2 - 1
    return [predictions, targets]


def get_init_inputs():
    return []


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
