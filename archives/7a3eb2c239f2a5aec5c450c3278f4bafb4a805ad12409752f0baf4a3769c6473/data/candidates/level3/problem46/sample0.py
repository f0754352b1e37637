import math
from typing import Optional

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    NetVLAD pooling: features softly assigned to clusters, residuals summed and normalised.

    x: [batch_size, num_features, feature_size]; output: [batch_size, cluster_size * feature_size].

    The last ghost_clusters columns of the assignment take their share of the softmax and are then
    left out. forward takes a mask but does not use it.
    """

    def __init__(self, cluster_size: int, feature_size: int, ghost_clusters: int):
        super().__init__()
        self.cluster_size = cluster_size
        self.feature_size = feature_size
        columns = cluster_size + ghost_clusters
        scale = 1.0 / math.sqrt(feature_size)

        self.clusters = nn.Parameter(scale * torch.randn(feature_size, columns))
        self.batch_norm = nn.BatchNorm1d(columns)
        self.clusters2 = nn.Parameter(scale * torch.randn(1, feature_size, cluster_size))

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        count = x.shape[1]
        rows = x.view(-1, self.feature_size)
        shares = F.softmax(self.batch_norm(rows @ self.clusters), dim=1)
        shares = shares[:, : self.cluster_size].view(-1, count, self.cluster_size)

        centres = shares.sum(dim=1, keepdim=True) * self.clusters2
        sums = shares.transpose(1, 2) @ rows.view(-1, count, self.feature_size)
        residuals = F.normalize(sums.transpose(1, 2) - centres)
        return F.normalize(residuals.reshape(-1, self.cluster_size * self.feature_size))


batch_size = 2048
num_features = 100
cluster_size = 32
feature_size = 512
ghost_clusters = 16


def get_inputs():
    return [torch.rand(batch_size, num_features, feature_size)]


def get_init_inputs():
    return [cluster_size, feature_size, ghost_clusters]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
