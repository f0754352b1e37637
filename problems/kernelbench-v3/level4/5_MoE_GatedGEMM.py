import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    The experts of a sparse mixture, each a gated SiLU layer, for a routing that is given. Sizes
    are those of Mixtral 8x7B (Jiang et al. 2024).

    x: [batch_size, seq_len, hidden_size]; expert_indices: int64 [batch_size, seq_len,
    experts_per_token], distinct for a token; expert_weights: the same shape as expert_indices;
    output: the shape of x.

    The weights are drawn with seed 1337, whatever the seed in force.
    """

    def __init__(self, hidden_size: int, intermediate_size: int, num_experts: int):
        super().__init__()
        self.num_experts = num_experts
        generator = torch.Generator(device="cpu").manual_seed(1337)

        def draw(*shape: int) -> nn.Parameter:
            return nn.Parameter(torch.randn(*shape, generator=generator, device="cpu").mul_(0.02))

        self.gate_proj = draw(num_experts, intermediate_size, hidden_size)
        self.up_proj = draw(num_experts, intermediate_size, hidden_size)
        self.down_proj = draw(num_experts, hidden_size, intermediate_size)

    def expert(self, number: int, x: torch.Tensor) -> torch.Tensor:
        gate = F.silu(F.linear(x, self.gate_proj[number]))
        return F.linear(gate * F.linear(x, self.up_proj[number]), self.down_proj[number])

    def forward(
        self, x: torch.Tensor, expert_indices: torch.Tensor, expert_weights: torch.Tensor
    ) -> torch.Tensor:
        rows = x.reshape(-1, x.shape[-1])
        slots = expert_indices.shape[-1]
        experts = expert_indices.reshape(-1)
        weights = expert_weights.reshape(-1, 1)

        pairs = torch.sort(experts, stable=True).indices
        counts = torch.bincount(experts, minlength=self.num_experts).tolist()

        y = torch.zeros_like(rows)
        for number, chosen in enumerate(pairs.split(counts)):
            tokens = torch.div(chosen, slots, rounding_mode="floor")
            part = self.expert(number, rows.index_select(0, tokens))
            y.index_add_(0, tokens, part * weights[chosen])
        return y.view_as(x)


batch_size = 4
seq_len = 2048
hidden_size = 4096
intermediate_size = 14336
num_experts = 8
experts_per_token = 2


def get_inputs():
    x = torch.randn(batch_size, seq_len, hidden_size)
    order = torch.rand(batch_size, seq_len, num_experts).argsort(dim=-1)
    expert_indices = order[..., :experts_per_token].contiguous()
    expert_weights = F.softmax(torch.randn(batch_size, seq_len, experts_per_token), dim=-1)
    return [x, expert_indices, expert_weights]


def get_init_inputs():
    return [hidden_size, intermediate_size, num_experts]
