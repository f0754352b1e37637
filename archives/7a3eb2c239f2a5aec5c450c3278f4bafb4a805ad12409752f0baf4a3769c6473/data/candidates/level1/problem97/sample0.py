import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    Scaled dot-product attention, without mask or dropout.

    Q, K, V: [batch_size, num_heads, sequence_length, head_dim]; output: the same shape.

    On inputs in [0, 1) the weights are almost even, so every output is near 0.5.
    """

    def __init__(self):
        super().__init__()

    def forward(self, Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
        return F.scaled_dot_product_attention(Q, K, V)


batch_size = 32
num_heads = 32
sequence_length = 512
head_dim = 1024


def get_inputs():
    shape = (batch_size, num_heads, sequence_length, head_dim)
    return [torch.rand(shape), torch.rand(shape), torch.rand(shape)]


def get_init_inputs():
    return []


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
