import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """
    State space scan of Mamba-2, chunk by chunk, returning the final state.

    X: [batch_size, seq_length, n_heads, d_head]; output: [batch_size, n_heads, d_head, d_state].
    seq_length is a multiple of block_len.

    A, B and C are parameters, so the batch is part of the weights. A is not kept negative and its
    running sums are exponentiated, so the values span many orders of magnitude.
    The outputs within chunks are computed and dropped, so C has no influence.
    """

    def __init__(
        self,
        batch_size: int,
        seq_length: int,
        n_heads: int,
        d_head: int,
        d_state: int,
        block_len: int,
    ):
        super().__init__()
        self.block_len = block_len
        self.A = nn.Parameter(torch.randn(batch_size, seq_length, n_heads))
        self.B = nn.Parameter(torch.randn(batch_size, seq_length, n_heads, d_state))
        self.C = nn.Parameter(torch.randn(batch_size, seq_length, n_heads, d_state))

    def chunk(self, x: torch.Tensor) -> torch.Tensor:
        return x.reshape(x.shape[0], -1, self.block_len, *x.shape[2:])

    def segment_sums(self, x: torch.Tensor) -> torch.Tensor:
        """[..., n] -> [..., n, n]: sums of x[j+1] to x[i] where j <= i, -inf elsewhere."""
        length = x.shape[-1]
        totals = torch.cumsum(x, dim=-1)
        sums = totals[..., :, None] - totals[..., None, :]
        lower = torch.tril(torch.ones(length, length, dtype=torch.bool, device=x.device))
        return sums.masked_fill(~lower, float("-inf"))

    def forward(self, X: torch.Tensor) -> torch.Tensor:
        x, a, b, c = map(self.chunk, (X, self.A, self.B, self.C))
        a = a.permute(0, 3, 1, 2)
        totals = torch.cumsum(a, dim=-1)

        decay = torch.exp(self.segment_sums(a))
        torch.einsum("bclhn,bcshn,bhcls,bcshp->bclhp", c, b, decay, x)

        to_end = torch.exp(totals[:, :, :, -1:] - totals)
        states = torch.einsum("bclhn,bhcl,bclhp->bchpn", b, to_end, x)
        states = torch.cat((torch.zeros_like(states[:, :1]), states), dim=1)

        between = torch.exp(self.segment_sums(F.pad(totals[:, :, :, -1], (1, 0))))
        states = torch.einsum("bhzc,bchpn->bzhpn", between, states)
        return states[:, -1]


batch_size = 2048
seq_length = 128
n_heads = 8
d_head = 64
d_state = 16
block_len = 64


def get_inputs():
    return [torch.rand(batch_size, seq_length, n_heads, d_head)]


def get_init_inputs():
    return [batch_size, seq_length, n_heads, d_head, d_state, block_len]
