import torch
import torch.nn as nn
import torch.nn.functional as F


def rotate(x: torch.Tensor, base: float) -> torch.Tensor:
    """
    Rotary position embedding of x: [batch, heads, length, width].

    Channel i turns with channel i + width / 2. Angles are float32 whatever the type of x.
    """
    length, width = x.shape[-2:]
    channels = torch.arange(0, width, 2, device=x.device, dtype=torch.float32)
    positions = torch.arange(length, device=x.device, dtype=torch.float32)
    angles = torch.outer(positions, 1.0 / base ** (channels / width))
    angles = torch.cat([angles, angles], dim=-1)

    first, second = x.chunk(2, dim=-1)
    turned = torch.cat([-second, first], dim=-1)
    return x * angles.cos().to(x.dtype) + turned * angles.sin().to(x.dtype)


class Model(nn.Module):
    """
    Grouped-query attention (Ainslie et al. 2023) with rotary positions: consecutive query heads
    share a key and value head. Causal.

    hidden_states: [batch_size, seq_len, hidden_size]; output: the same shape.

    max_position_embeddings is kept but not used in the computation.
    """

    def __init__(
        self,
        hidden_size: int,
        num_attention_heads: int,
        num_key_value_heads: int,
        head_dim: int,
        max_position_embeddings: int,
        rope_theta: float = 10000.0,
        attention_dropout: float = 0.0,
    ):
        super().__init__()
        self.head_dim = head_dim
        self.group_size = num_attention_heads // num_key_value_heads
        self.max_position_embeddings = max_position_embeddings
        self.rope_theta = rope_theta
        self.attention_dropout = attention_dropout
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=False)

    def heads(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        return x.view(batch, length, width // self.head_dim, self.head_dim).transpose(1, 2)

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        batch, length, _ = hidden_states.shape
        q = rotate(self.heads(self.q_proj(hidden_states)), self.rope_theta)
        k = rotate(self.heads(self.k_proj(hidden_states)), self.rope_theta)
        v = self.heads(self.v_proj(hidden_states))
        k = k.repeat_interleave(self.group_size, dim=1)
        v = v.repeat_interleave(self.group_size, dim=1)

        scores = torch.matmul(q, k.transpose(2, 3)) * self.head_dim**-0.5
        future = torch.ones(length, length, dtype=torch.bool, device=q.device).triu(diagonal=1)
        scores = scores.masked_fill(future, float("-inf"))
        weights = F.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype)
        weights = F.dropout(weights, p=self.attention_dropout, training=self.training)

        y = torch.matmul(weights, v).transpose(1, 2).reshape(batch, length, -1)
        return self.o_proj(y)


batch_size = 4
seq_len = 2048
hidden_size = 4096
num_attention_heads = 32
num_key_value_heads = 8
head_dim = 128
max_position_embeddings = 4096
rope_theta = 10000.0
attention_dropout = 0.0


def get_inputs():
    return [torch.randn(batch_size, seq_len, hidden_size)]


def get_init_inputs():
    return [
        hidden_size,
        num_attention_heads,
        num_key_value_heads,
        head_dim,
        max_position_embeddings,
        rope_theta,
        attention_dropout,
    ]
