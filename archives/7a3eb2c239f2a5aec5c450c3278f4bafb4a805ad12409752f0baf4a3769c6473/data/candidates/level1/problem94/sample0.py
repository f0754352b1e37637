import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Mean squared error over all entries.

    predictions, targets: [batch_size, features]; output: a scalar.

    One random factor per call of get_inputs() scales the predictions and largely sets the result.
    """

    def __init__(self):
        super().__init__()

    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return torch.mean((predictions - targets) ** 2)


batch_size = 32768
features = 32768


def get_inputs():
    scale = torch.rand(())
    return [torch.rand(batch_size, features) * scale, torch.rand(batch_size, features)]


def get_init_inputs():
    return []


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
