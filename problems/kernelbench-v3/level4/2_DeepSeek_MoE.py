import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Router(nn.Module):
    """
    Choice of experts, limited to the best groups of them.

    x: [tokens, hidden_size]; returns the indices and the weights of the chosen experts, both
    [tokens, num_experts_per_tok]. Computed in float32. The bias moves the choice but not the
    weights; it is zero here.
    """

    def __init__(
        self,
        hidden_size: int,
        n_routed_experts: int,
        num_experts_per_tok: int,
        n_group: int,
        topk_group: int,
        routed_scaling_factor: float,
    ):
        super().__init__()
        self.num_experts_per_tok = num_experts_per_tok
        self.n_group = n_group
        self.topk_group = topk_group
        self.routed_scaling_factor = routed_scaling_factor
        self.weight = nn.Parameter(torch.empty(n_routed_experts, hidden_size))
        self.register_buffer("e_score_correction_bias", torch.zeros(n_routed_experts))
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))

    def forward(self, x: torch.Tensor):
        scores = torch.sigmoid(F.linear(x.float(), self.weight.float()))
        choice = scores + self.e_score_correction_bias.float()

        grouped = choice.view(choice.shape[0], self.n_group, -1)
        group_scores = grouped.topk(2, dim=-1).values.sum(dim=-1)
        kept = group_scores.topk(self.topk_group, dim=-1).indices
        dropped = torch.ones_like(group_scores, dtype=torch.bool).scatter(1, kept, False)
        choice = grouped.masked_fill(dropped.unsqueeze(-1), 0.0).flatten(1)

        indices = choice.topk(self.num_experts_per_tok, dim=-1).indices
        weights = scores.gather(1, indices)
        weights = weights / (weights.sum(dim=-1, keepdim=True) + 1e-20)
        return indices, weights * self.routed_scaling_factor


class Model(nn.Module):
    """
    Mixture of experts with shared experts (DeepSeekMoE, Dai et al. 2024), routed by sigmoid scores
    and a group-limited top-k (DeepSeek-V3 technical report, section 2.1.2).

    hidden_states: [batch_size, seq_len, hidden_size]; output: the same shape. Every expert is a
    gated SiLU layer; the shared experts are one layer n_shared_experts times as wide.
    """

    def __init__(
        self,
        hidden_size: int,
        intermediate_size: int,
        n_routed_experts: int,
        num_experts_per_tok: int,
        n_group: int,
        topk_group: int,
        n_shared_experts: int,
        routed_scaling_factor: float,
    ):
        super().__init__()
        inward = (n_routed_experts, intermediate_size, hidden_size)
        outward = (n_routed_experts, hidden_size, intermediate_size)
        self.gate_proj = nn.Parameter(torch.randn(inward) * 0.02)
        self.up_proj = nn.Parameter(torch.randn(inward) * 0.02)
        self.down_proj = nn.Parameter(torch.randn(outward) * 0.02)

        self.gate = Router(
            hidden_size,
            n_routed_experts,
            num_experts_per_tok,
            n_group,
            topk_group,
            routed_scaling_factor,
        )

        shared_size = intermediate_size * n_shared_experts
        self.shared_gate_proj = nn.Linear(hidden_size, shared_size, bias=False)
        self.shared_up_proj = nn.Linear(hidden_size, shared_size, bias=False)
        self.shared_down_proj = nn.Linear(shared_size, hidden_size, bias=False)

    def expert(self, number: int, x: torch.Tensor) -> torch.Tensor:
        gate = F.silu(F.linear(x, self.gate_proj[number]))
        return F.linear(gate * F.linear(x, self.up_proj[number]), self.down_proj[number])

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        x = hidden_states.reshape(-1, hidden_states.shape[-1])
        indices, weights = self.gate(x)
        weights = weights.to(x.dtype)

        y = torch.zeros_like(x)
        for number in range(self.gate_proj.shape[0]):
            tokens, slots = torch.where(indices == number)
            rows = self.expert(number, x.index_select(0, tokens))
            y.index_add_(0, tokens, rows * weights[tokens, slots].unsqueeze(-1))

        shared = F.silu(self.shared_gate_proj(x)) * self.shared_up_proj(x)
        return (y + self.shared_down_proj(shared)).view_as(hidden_states)


batch_size = 4
seq_len = 2048
hidden_size = 2048
intermediate_size = 1408
n_routed_experts = 64
num_experts_per_tok = 8
n_group = 8
topk_group = 4
n_shared_experts = 2
routed_scaling_factor = 2.5


def get_inputs():
    return [torch.randn(batch_size, seq_len, hidden_size)]


def get_init_inputs():
    return [
        hidden_size,
        intermediate_size,
        n_routed_experts,
        num_experts_per_tok,
        n_group,
        topk_group,
        n_shared_experts,
        routed_scaling_factor,
    ]
