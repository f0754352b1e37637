import torch
import torch.nn as nn
import torch.nn.functional as F


def linear(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """
    x times the transposed weight.

    On the CPU in float32 and rounded once, as not every PyTorch multiplies float16 there.
    """
    if x.device.type == "cpu":
        return F.linear(x.float(), weight.float()).to(x.dtype)
    return F.linear(x, weight)


class Model(nn.Module):
    """
    Linear layer with 4-bit integer weights, symmetric, one scale per group along K: the storage
    of GPTQ (Frantar et al. 2022) and AWQ (Lin et al. 2023) with a fixed zero point of 8.

    x: float16 [batch_size, seq_len, K]; weight_packed: uint8 [N, K / 2]; scales: float16 [N, K /
    group_size]; output: float16 [batch_size, seq_len, N].

    The low four bits of a byte are an even k, the high ones the odd k after it. The weights are
    drawn with seed 1337, whatever the seed in force.
    """

    def __init__(self, K: int, N: int, group_size: int):
        super().__init__()
        self.K = K
        self.N = N
        self.group_size = group_size
        generator = torch.Generator(device="cpu").manual_seed(1337)
        packed = torch.randint(
            0, 256, (N, K // 2), dtype=torch.uint8, generator=generator, device="cpu"
        )
        scales = torch.randn(N, K // group_size, generator=generator, device="cpu").abs() * 0.1
        self.register_buffer("weight_packed", packed)
        self.register_buffer("scales", scales.to(torch.float16))

    def dequantise(self) -> torch.Tensor:
        nibbles = [self.weight_packed & 0xF, self.weight_packed >> 4]
        codes = torch.stack(nibbles, dim=-1).view(self.N, self.K)
        scales = self.scales.repeat_interleave(self.group_size, dim=1)
        return scales * (codes.to(scales.dtype) - 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = linear(x.reshape(-1, self.K), self.dequantise())
        return y.view(*x.shape[:-1], self.N)


batch_size = 4
seq_len = 2048
k = 4096
n = 11008
group_size = 128


def get_inputs():
    return [torch.randn(batch_size, seq_len, k, dtype=torch.float16)]


def get_init_inputs():
    return [k, n, group_size]
