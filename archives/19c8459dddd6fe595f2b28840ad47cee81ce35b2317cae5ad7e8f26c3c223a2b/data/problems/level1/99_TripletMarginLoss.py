import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Mean triplet margin loss with Euclidean distances.

    anchor, positive, negative: [batch_size, features]; output: a scalar.

    One random factor per call of get_inputs() scales the anchors.
    """

    def __init__(self, margin: float):
        super().__init__()
        self.loss_fn = nn.TripletMarginLoss(margin=margin)

    def forward(
        self, anchor: torch.Tensor, positive: torch.Tensor, negative: torch.Tensor
    ) -> torch.Tensor:
        return self.loss_fn(anchor, positive, negative)


batch_size = 32768
features = 8192
margin = 1.0


def get_inputs():
    scale = torch.rand(())
    anchor = torch.rand(batch_size, features) * scale
    positive = torch.rand(batch_size, features)
    negative = torch.rand(batch_size, features)
    return [anchor, positive, negative]


def get_init_inputs():
    return [margin]
