import torch
import torch.nn as nn
import torch.nn.functional as F


class RMSNorm(nn.Module):
    """Division by the root mean square in float32, and a learned scale."""

    def __init__(self, width: int, eps: float = 1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(dim=-1, keepdim=True) + self.eps)
        return self.weight * wide.to(x.dtype)


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
    Multi-head latent attention (DeepSeek-V2 technical report, section 2.1): queries, and keys with
    values, are expanded from normalised low-rank projections; a rotary part of the key is shared
    by all heads. Causal, for a whole sequence without a cache.

    hidden_states: [batch_size, seq_len, hidden_size]; output: the same shape.

    max_position_embeddings is kept but not used in the computation.
    """

    def __init__(
        self,
        hidden_size: int,
        num_attention_heads: int,
        q_lora_rank: int,
        kv_lora_rank: int,
        qk_nope_head_dim: int,
        qk_rope_head_dim: int,
        v_head_dim: int,
        max_position_embeddings: int,
        rope_theta: float = 10000.0,
        attention_dropout: float = 0.0,
    ):
        super().__init__()
        self.num_heads = num_attention_heads
        self.kv_lora_rank = kv_lora_rank
        self.qk_nope_head_dim = qk_nope_head_dim
        self.qk_rope_head_dim = qk_rope_head_dim
        self.v_head_dim = v_head_dim
        self.max_position_embeddings = max_position_embeddings
        self.rope_theta = rope_theta
        self.attention_dropout = attention_dropout

        qk_head_dim = qk_nope_head_dim + qk_rope_head_dim
        self.scale = qk_head_dim**-0.5

        self.q_a_proj = nn.Linear(hidden_size, q_lora_rank, bias=False)
        self.q_a_layernorm = RMSNorm(q_lora_rank)
        self.q_b_proj = nn.Linear(q_lora_rank, num_attention_heads * qk_head_dim, bias=False)
        self.kv_a_proj_with_mqa = nn.Linear(
            hidden_size, kv_lora_rank + qk_rope_head_dim, bias=False
        )
        self.kv_a_layernorm = RMSNorm(kv_lora_rank)
        self.kv_b_proj = nn.Linear(
            kv_lora_rank, num_attention_heads * (qk_nope_head_dim + v_head_dim), bias=False
        )
        self.o_proj = nn.Linear(num_attention_heads * v_head_dim, hidden_size, bias=False)

    def heads(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        return x.view(batch, length, self.num_heads, width // self.num_heads).transpose(1, 2)

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        batch, length, _ = hidden_states.shape

        q = self.heads(self.q_b_proj(self.q_a_layernorm(self.q_a_proj(hidden_states))))
        q_nope, q_pe = q.split([self.qk_nope_head_dim, self.qk_rope_head_dim], dim=-1)

        latent, k_pe = self.kv_a_proj_with_mqa(hidden_states).split(
            [self.kv_lora_rank, self.qk_rope_head_dim], dim=-1
        )
        kv = self.heads(self.kv_b_proj(self.kv_a_layernorm(latent)))
        k_nope, v = kv.split([self.qk_nope_head_dim, self.v_head_dim], dim=-1)

        q_pe = rotate(q_pe, self.rope_theta)
        k_pe = rotate(k_pe.unsqueeze(1), self.rope_theta).expand(-1, self.num_heads, -1, -1)
        q = torch.cat([q_nope, q_pe], dim=-1)
        k = torch.cat([k_nope, k_pe], dim=-1)

        scores = torch.matmul(q, k.transpose(-2, -1)) * self.scale
        future = torch.ones(length, length, dtype=torch.bool, device=q.device).triu(diagonal=1)
        scores = scores.masked_fill(future, float("-inf"))
        weights = F.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype)
        weights = F.dropout(weights, p=self.attention_dropout, training=self.training)

        y = torch.matmul(weights, v).transpose(1, 2).reshape(batch, length, -1)
        return self.o_proj(y)


batch_size = 4
seq_len = 2048
hidden_size = 2048
num_attention_heads = 16
q_lora_rank = 1536
kv_lora_rank = 512
qk_nope_head_dim = 128
qk_rope_head_dim = 64
v_head_dim = 128
max_position_embeddings = 4096
rope_theta = 10000.0
attention_dropout = 0.0


def get_inputs():
    return [torch.randn(batch_size, seq_len, hidden_size)]


def get_init_inputs():
    return [
        hidden_size,
        num_attention_heads,
        q_lora_rank,
        kv_lora_rank,
        qk_nope_head_dim,
        qk_rope_head_dim,
        v_head_dim,
        max_position_embeddings,
        rope_theta,
        attention_dropout,
    ]
