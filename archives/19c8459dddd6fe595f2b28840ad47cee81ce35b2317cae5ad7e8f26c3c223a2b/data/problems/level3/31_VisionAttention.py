import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Multi-head self-attention over all pixels of a feature map, with a residual and a LayerNorm.

    x: [batch_size, embed_dim, image_height, image_width]; output: the same shape.

    The attention weights, averaged over heads, are computed and dropped.
    """

    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        self.attn = nn.MultiheadAttention(embed_dim, num_heads)
        self.norm = nn.LayerNorm(embed_dim)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, channels, height, width = x.shape
        pixels = x.view(batch, channels, height * width).permute(2, 0, 1)
        mixed, _ = self.attn(pixels, pixels, pixels)
        pixels = self.norm(mixed + pixels)
        return pixels.permute(1, 2, 0).view(batch, channels, height, width)


batch_size = 2
image_height = 128
image_width = 128
embed_dim = 128
num_heads = 4


def get_inputs():
    return [torch.rand(batch_size, embed_dim, image_height, image_width)]


def get_init_inputs():
    return [embed_dim, num_heads]
