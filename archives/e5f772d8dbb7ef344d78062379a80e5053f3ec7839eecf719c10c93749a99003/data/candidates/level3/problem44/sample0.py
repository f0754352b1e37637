"""A transformer block compiled as a whole, its attention without a matrix of scores.

The reference writes the scores of 512 by 512 positions and passes over them four
times. torch's fused attention keeps them on the chip, and Inductor makes one
kernel each of the layer norms and of GELU.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalSelfAttention(nn.Module):
    def __init__(self, n_embd, n_head, attn_pdrop, resid_pdrop):
        super().__init__()
        self.n_head = n_head
        self.attn_pdrop = attn_pdrop
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)
        self.resid_dropout = nn.Dropout(resid_pdrop)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.c_attn(x).view(batch, length, 3, self.n_head, -1)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=self.attn_pdrop,
                                           is_causal=True)
        return self.resid_dropout(self.c_proj(
            y.transpose(1, 2).reshape(batch, length, width)))


class FeedForward(nn.Module):
    def __init__(self, n_embd, resid_pdrop):
        super().__init__()
        self.c_fc = nn.Linear(n_embd, 4 * n_embd)
        self.c_proj = nn.Linear(4 * n_embd, n_embd)
        self.dropout = nn.Dropout(resid_pdrop)

    def forward(self, x):
        x = self.c_fc(x)
        inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)
        x = 0.5 * x * (1.0 + torch.tanh(inner))
        return self.dropout(self.c_proj(x))


class ModelNew(nn.Module):
    def __init__(self, n_embd, n_head, attn_pdrop, resid_pdrop, max_seqlen):
        super().__init__()
        self.ln_1 = nn.LayerNorm(n_embd)
        self.attn = CausalSelfAttention(n_embd, n_head, attn_pdrop, resid_pdrop)
        self.ln_2 = nn.LayerNorm(n_embd)
        self.mlp = FeedForward(n_embd, resid_pdrop)
        self.compiled = torch.compile(self.block)

    def block(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))

    def forward(self, x):
        return self.compiled(x)
