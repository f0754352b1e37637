import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    Mean smooth L1 (Huber) loss over all entries, quadratic for errors below 1.

    predictions, targets: [batch_size, features]; output: a scalar.

    One random factor per call of get_inputs() scales the predictions and largely sets the result.
    Inputs in [0, 1) never leave the quadratic part.
    """

    def __init__(self):
        super().__init__()

    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return F.smooth_l1_loss(predictions, targets)


batch_size = 32768
features = 32768


def get_inputs():
    scale = torch.rand(())
    return [torch.rand(batch_size, features) * scale, torch.rand(batch_size, features)]


def get_init_inputs():
    return []
