import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Linear layer, dropout and softmax of each row.

    x: [batch_size, in_features]; output: [batch_size, out_features]. The dropout draws random
    numbers in training mode, so two calls give different results.
    """

    def __init__(self, in_features: int, out_features: int, dropout_p: float):
        super().__init__()
        self.matmul = nn.Linear(in_features, out_features)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.dropout(self.matmul(x))
        return torch.softmax(x, dim=1)


batch_size = 128
in_features = 16384
out_features = 16384
dropout_p = 0.2


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, dropout_p]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
