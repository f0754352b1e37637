import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Linear layer, group normalisation of the features, clipping (hardtanh).

    x: [batch_size, in_features]; output: [batch_size, out_features].
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        num_groups: int,
        hardtanh_min: float,
        hardtanh_max: float,
    ):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.group_norm = nn.GroupNorm(num_groups, out_features)
        self.hardtanh = nn.Hardtanh(min_val=hardtanh_min, max_val=hardtanh_max)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.hardtanh(self.group_norm(self.gemm(x)))


batch_size = 1024
in_features = 8192
out_features = 8192
num_groups = 16
hardtanh_min = -2.0
hardtanh_max = 2.0


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, num_groups, hardtanh_min, hardtanh_max]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
