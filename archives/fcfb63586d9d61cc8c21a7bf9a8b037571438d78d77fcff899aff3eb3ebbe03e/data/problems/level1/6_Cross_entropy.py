import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Smoothed cross entropy between predictions and integer class targets."""

    def __init__(self):
        super().__init__()

    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(predictions, targets, label_smoothing=0.1)


rows = 240
classes = 512


def get_inputs():
    return [torch.randn(rows, classes) * 3.0, torch.randint(0, classes, (rows,))]


def get_init_inputs():
    return []
