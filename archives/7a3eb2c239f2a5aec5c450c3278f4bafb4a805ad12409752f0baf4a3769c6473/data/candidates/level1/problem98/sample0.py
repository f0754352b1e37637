import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    Kullback-Leibler divergence of predicted from target distributions, averaged over rows.

    predictions, targets: [batch_size, features], rows that sum to 1; output: a scalar.

    One random factor per call of get_inputs() scales the predictions before their softmax and
    largely sets the result.
    """

    def __init__(self):
        super().__init__()

    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return F.kl_div(torch.log(predictions), targets, reduction="batchmean")


batch_size = 16384
features = 16384


def get_inputs():
    scale = torch.rand(())
    predictions = (torch.rand(batch_size, features) * scale).softmax(dim=-1)
    targets = torch.rand(batch_size, features).softmax(dim=-1)
    return [predictions, targets]


def get_init_inputs():
    return []


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
