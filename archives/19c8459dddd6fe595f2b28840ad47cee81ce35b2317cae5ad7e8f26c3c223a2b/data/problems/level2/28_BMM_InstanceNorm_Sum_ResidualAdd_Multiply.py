import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Linear layer, each row normalised to zero mean and unit variance, then plus y and times y.

    x: [batch_size, in_features]; y: [batch_size, out_features]; output: the shape of y.

    The layer is called bmm but is no batched product. The instance normalisation sees every row as
    a one-channel image of height 1 and learns no scale or shift; its number of channels, given as
    out_features, has no effect.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
    ):
        super().__init__()
        self.bmm = nn.Linear(in_features, out_features)
        self.instance_norm = nn.InstanceNorm2d(out_features, eps=eps, momentum=momentum)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x = self.bmm(x).unsqueeze(1).unsqueeze(1)
        x = self.instance_norm(x).squeeze(1).squeeze(1)
        return (x + y) * y


batch_size = 1024
in_features = 8192
out_features = 8192


def get_inputs():
    return [torch.rand(batch_size, in_features), torch.rand(batch_size, out_features)]


def get_init_inputs():
    return [in_features, out_features]
