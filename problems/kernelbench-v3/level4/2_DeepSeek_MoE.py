import torch
import torch.nn as nn
import torch.nn.functional as F


def router_weight(n_routed_experts: int, hidden_size: int) -> torch.Tensor:
    """Uniform within the bounds of nn.Linear, drawn with seed 1337, whatever the seed in force."""
    generator = torch.Generator(device="cpu").manual_seed(1337)
    bound = hidden_size**-0.5
    weight = torch.empty(n_routed_experts, hidden_size, device="cpu")
    return weight.uniform_(-bound, bound, generator=generator)


def choose(scores: torch.Tensor, n_group: int, topk_group: int, num_experts_per_tok: int):
    """
    Choice by scores, [tokens, experts], of groups by their two best experts and of experts in them.

    Returns which groups are dropped, [tokens, n_group], and the indices of the chosen experts.
    """
    grouped = scores.view(scores.shape[0], n_group, -1)
    group_scores = grouped.topk(2, dim=-1).values.sum(dim=-1)
    kept = group_scores.topk(topk_group, dim=-1).indices
    dropped = torch.ones_like(group_scores, dtype=torch.bool).scatter(1, kept, False)
    scores = grouped.masked_fill(dropped.unsqueeze(-1), 0.0).flatten(1)
    return dropped, scores.topk(num_experts_per_tok, dim=-1).indices


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
        self.weight = nn.Parameter(router_weight(n_routed_experts, hidden_size))
        self.register_buffer("e_score_correction_bias", torch.zeros(n_routed_experts))

    def forward(self, x: torch.Tensor):
        scores = torch.sigmoid(F.linear(x.float(), self.weight.float()))
        choice = scores + self.e_score_correction_bias.float()
        _, indices = choose(choice, self.n_group, self.topk_group, self.num_experts_per_tok)
        weights = scores.gather(1, indices)
        weights = weights / (weights.sum(dim=-1, keepdim=True) + 1e-20)
        return indices, weights * self.routed_scaling_factor


class Model(nn.Module):
    """
    Mixture of experts with shared experts (DeepSeekMoE, Dai et al. 2024), routed by sigmoid scores
    and a group-limited top-k (DeepSeek-V3 technical report, section 2.1.2).

    hidden_states: [batch_size, seq_len, hidden_size]; output: the same shape. Every expert is a
    gated SiLU layer; the shared experts are one layer n_shared_experts times as wide.

    get_inputs() leaves a margin between the scores of what is chosen and of what is not, so that
    the choice does not depend on how they are rounded. For that it has to know the router's
    weight, which is therefore drawn with seed 1337, whatever the seed in force.
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


# By how much, before the sigmoid, chosen experts are raised above others in the groups kept, and
# groups kept above those dropped. Rounding both factors of a score to bfloat16 moves it by up to an
# eighth of that, and adding up in another order by less than a ten-thousandth.
margin = 1 / 16


def get_inputs():
    x = torch.randn(batch_size, seq_len, hidden_size)
    weight = router_weight(n_routed_experts, hidden_size)
    scores = torch.sigmoid(F.linear(x.flatten(0, 1), weight.to(x.device)))
    dropped, indices = choose(scores, n_group, topk_group, num_experts_per_tok)

    kept = ~dropped.unsqueeze(-1).expand(-1, -1, n_routed_experts // n_group).flatten(1)
    raised = kept.to(x.dtype).scatter_add(1, indices, torch.ones_like(indices, dtype=x.dtype))
    unit_changes = torch.linalg.solve(torch.matmul(weight, weight.t()), weight).to(x.device)
    return [x + margin * torch.matmul(raised, unit_changes).view_as(x)]


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
