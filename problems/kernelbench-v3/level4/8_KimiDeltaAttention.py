import torch
import torch.nn as nn
import torch.nn.functional as F


def kimi_delta_rule(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    g: torch.Tensor,
    beta: torch.Tensor,
    scale: float,
    chunk_size: int = 32,
) -> torch.Tensor:
    """
    The delta rule with a decay per key channel in plain PyTorch, in chunks of time.

    q, k, and g, the logarithm of the decay: [batch, time, heads, head_dim_qk]; v: [batch, time,
    heads, head_dim_v]; beta: [batch, time, heads]; output: the shape and type of v. A head has a
    state S: [head_dim_qk, head_dim_v], zero at first. At each step

        S = diag(exp(g)) S;   S = S + k (beta (v - S^T k))^T;   output = scale S^T q

    Within a chunk the corrections u = beta (v - S^T k) solve a unit lower triangular system, whose
    right side is linear in the state before the chunk. The systems of all chunks are solved at
    once; then the state goes from chunk to chunk. At least float32 throughout.
    """
    length = q.shape[1]
    out_type = v.dtype
    work = torch.promote_types(out_type, torch.float32)

    def chunks(t: torch.Tensor) -> torch.Tensor:
        """[batch, time, heads, ...] padded, as [batch, heads, chunks, chunk_size, ...]."""
        t = t.to(work).transpose(1, 2)
        t = torch.cat([t, t.new_zeros(*t.shape[:2], -length % chunk_size, *t.shape[3:])], dim=2)
        return t.unflatten(2, (-1, chunk_size))

    q, k, v, g, beta = map(chunks, (q, k, v, g, beta))
    q = q * scale
    beta = beta.unsqueeze(-1)

    # Logarithms of the decay from before the chunk to step i, and the decay from step j to step i:
    # the exponent of a difference, as the quotient of two decays could be 0 / 0.
    since_start = g.cumsum(dim=-2)
    until_end = since_start[..., -1:, :] - since_start
    future = torch.ones(chunk_size, chunk_size, dtype=torch.bool, device=g.device).triu(diagonal=1)
    between = since_start.unsqueeze(-2) - since_start.unsqueeze(-3)
    between = between.masked_fill_(future.unsqueeze(-1), float("-inf")).exp_()

    # [..., i, j, 2]: products of the keys j, decayed to step i, with key i and with query i.
    products = torch.matmul(between * k.unsqueeze(-3), torch.stack([k, q], dim=-1))
    del between
    key_products, inside = products.unbind(dim=-1)

    right = torch.cat([beta * v, beta * since_start.exp() * k], dim=-1)
    solved = torch.linalg.solve_triangular(
        beta * key_products, right, upper=False, unitriangular=True
    )
    u_alone, u_per_state = solved.split([v.shape[-1], k.shape[-1]], dim=-1)

    q_start = since_start.exp() * q
    k_end = (until_end.exp() * k).transpose(-2, -1)
    total = since_start[..., -1, :, None].exp()

    state = v.new_zeros(*v.shape[:2], k.shape[-1], v.shape[-1])
    outputs = []
    for n in range(v.shape[2]):
        u = u_alone[:, :, n] - torch.matmul(u_per_state[:, :, n], state)
        outputs.append(torch.matmul(q_start[:, :, n], state) + torch.matmul(inside[:, :, n], u))
        state = total[:, :, n] * state + torch.matmul(k_end[:, :, n], u)
    y = torch.cat(outputs, dim=2)[:, :, :length]
    return y.transpose(1, 2).to(out_type)


def load_library():
    """The kernel of the package flash-linear-attention, or None where it cannot be imported."""
    try:
        from fla.ops.kda import chunk_kda
    except (ImportError, RuntimeError):
        return None
    return chunk_kda


def get_baseline_name() -> str:
    """What Model.forward computes the recurrence with on this machine."""
    if not torch.cuda.is_available() or load_library() is None:
        return "torch"
    import fla

    return "flash-linear-attention " + fla.__version__


class Model(nn.Module):
    """
    Kimi Delta Attention layer (Kimi Linear technical report, Kimi Team 2025): short causal
    convolutions of queries, keys and values, a delta rule with its own decay for every key channel
    in every head, LayerNorm of each head's output and a sigmoid gate.

    x: [batch_size, seq_len, hidden_size]; output: the same shape.

    Other than in the report, queries and keys are not divided by their norms and the decay is a
    plain sigmoid. use_dplr and dplr_rank are kept but not used. On a GPU the recurrence is the
    library's where flash-linear-attention (0.4 or later) is installed; forward_plain is the
    definition.
    """

    def __init__(
        self,
        hidden_size: int,
        num_heads: int,
        head_dim_qk: int,
        head_dim_v: int,
        use_dplr: bool = False,
        dplr_rank: int = 4,
        use_short_conv: bool = True,
        conv_kernel_size: int = 4,
    ):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim_qk = head_dim_qk
        self.head_dim_v = head_dim_v
        self.use_dplr = use_dplr
        self.dplr_rank = dplr_rank
        self.use_short_conv = use_short_conv
        self.library = load_library()

        width_qk = num_heads * head_dim_qk
        width_v = num_heads * head_dim_v
        self.q_proj = nn.Linear(hidden_size, width_qk, bias=False)
        self.k_proj = nn.Linear(hidden_size, width_qk, bias=False)
        self.v_proj = nn.Linear(hidden_size, width_v, bias=False)
        self.a_proj = nn.Linear(hidden_size, width_qk)
        self.b_proj = nn.Linear(hidden_size, num_heads)
        self.o_proj = nn.Linear(width_v, hidden_size, bias=False)
        if use_short_conv:
            self.q_conv = self.depthwise(width_qk, conv_kernel_size)
            self.k_conv = self.depthwise(width_qk, conv_kernel_size)
            self.v_conv = self.depthwise(width_v, conv_kernel_size)
        self.g_proj = nn.Linear(hidden_size, width_v, bias=False)
        self.o_norm = nn.LayerNorm(head_dim_v)

    @staticmethod
    def depthwise(width: int, kernel_size: int) -> nn.Conv1d:
        return nn.Conv1d(width, width, kernel_size, groups=width, padding=kernel_size - 1)

    def mix(self, name: str, x: torch.Tensor, head_dim: int) -> torch.Tensor:
        """Queries, keys or values of x: [batch, time, heads, head_dim]."""
        x = getattr(self, name + "_proj")(x)
        if self.use_short_conv:
            conv = getattr(self, name + "_conv")
            x = conv(x.transpose(1, 2))[..., : x.shape[1]].transpose(1, 2)
        return F.silu(x).unflatten(-1, (self.num_heads, head_dim))

    def operands(self, x: torch.Tensor):
        """Queries, keys, values, logarithms of the decay, and step sizes."""
        q = self.mix("q", x, self.head_dim_qk)
        k = self.mix("k", x, self.head_dim_qk)
        v = self.mix("v", x, self.head_dim_v)
        g = torch.sigmoid(self.a_proj(x).float()).clamp(min=1e-6).log()
        g = g.unflatten(-1, (self.num_heads, self.head_dim_qk))
        beta = torch.sigmoid(self.b_proj(x))
        return q, k, v, g, beta

    def finish(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        y = self.o_norm(y.to(x.dtype)).flatten(-2)
        return self.o_proj(y * torch.sigmoid(self.g_proj(x)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.library is None or not x.is_cuda:
            return self.forward_plain(x)
        q, k, v, g, beta = self.operands(x)
        y, _ = self.library(q, k, v, g=g, beta=beta, scale=self.head_dim_qk**-0.5)
        return self.finish(x, y)

    def forward_plain(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v, g, beta = self.operands(x)
        y = kimi_delta_rule(q, k, v, g, beta, self.head_dim_qk**-0.5)
        return self.finish(x, y)


batch_size = 4
seq_len = 2048
hidden_size = 2048
num_heads = 16
head_dim_qk = 128
head_dim_v = 128
use_dplr = False
dplr_rank = 4
use_short_conv = True
conv_kernel_size = 4


def get_inputs():
    return [torch.randn(batch_size, seq_len, hidden_size)]


def get_init_inputs():
    return [
        hidden_size,
        num_heads,
        head_dim_qk,
        head_dim_v,
        use_dplr,
        dplr_rank,
        use_short_conv,
        conv_kernel_size,
    ]
