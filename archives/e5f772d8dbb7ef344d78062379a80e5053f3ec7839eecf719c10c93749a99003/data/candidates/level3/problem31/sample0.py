"""Attention of 16384 positions without the weights that the reference drops.

The reference asks for the averaged weights of all heads, so that torch writes
8 by 16384 by 16384 of them and cannot use its fused attention.
"""
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.attn = nn.MultiheadAttention(embed_dim, num_heads)
        self.norm = nn.LayerNorm(embed_dim)

    def forward(self, x):
        batch, channels, height, width = x.shape
        pixels = x.view(batch, channels, height * width).permute(2, 0, 1)
        mixed, _ = self.attn(pixels, pixels, pixels, need_weights=False)
        pixels = self.norm(mixed + pixels)
        return pixels.permute(1, 2, 0).view(batch, channels, height, width)
