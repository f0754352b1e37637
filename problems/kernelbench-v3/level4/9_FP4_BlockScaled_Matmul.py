import math

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


def e2m1_magnitudes() -> list:
    """The FP4 numbers without a sign, in the order of their codes 0 to 7."""
    return [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]


def e4m3_magnitudes() -> list:
    """The finite FP8 E4M3 numbers without a sign, in the order of their codes 0 to 126."""
    subnormal = [m / 512 for m in range(8)]
    normal = [(8 + m) * 2.0 ** (e - 10) for e in range(1, 16) for m in range(8)]
    return subnormal + normal[:-1]


def nearest(x: torch.Tensor, numbers: list) -> torch.Tensor:
    """The indices of the numbers, which ascend, that are nearest to the elements of x."""
    grid = torch.tensor(numbers, device=x.device)
    return torch.bucketize(x, (grid[1:] + grid[:-1]) / 2)


class Model(nn.Module):
    """
    Linear layer with FP4 weights in the NVFP4 layout: E2M1 elements (OCP Microscaling Formats
    1.0), an E4M3 scale for every 16 elements along K, and a scale of the whole matrix.

    x: float16 [batch_size, seq_len, K]; weight_packed: uint8 [N, K / 2], two E2M1 codes each;
    scales: uint8 [N, K / 16], E4M3 codes; output: float16 [batch_size, seq_len, N].

    A weight is element * scale * global_scale, computed in float32 and rounded to the type of x; x
    itself is not quantised. The low four bits of a byte are an even k, the high ones the odd k
    after it; the highest of the four is the sign. global_scale is a power of two: a cast of the
    module to 16 bits changes neither it nor the two tables of numbers. The weights are quantised
    from normal ones drawn with seed 1337, whatever the seed in force.
    """

    block_size = 16

    def __init__(self, K: int, N: int):
        super().__init__()
        self.K = K
        self.N = N
        generator = torch.Generator(device="cpu").manual_seed(1337)
        weight = torch.randn(N, K, generator=generator, device="cpu") * 0.02

        blocks = weight.view(N, K // self.block_size, self.block_size)
        e2m1, e4m3 = e2m1_magnitudes(), e4m3_magnitudes()
        largest = blocks.abs().amax(dim=-1)
        needed = largest.max().item() / (e2m1[-1] * e4m3[-1])
        global_scale = 2.0 ** math.ceil(math.log2(needed))

        scales = nearest(largest / (e2m1[-1] * global_scale), e4m3)
        steps = torch.tensor(e4m3, device="cpu")[scales] * global_scale
        codes = nearest(blocks.abs() / steps.unsqueeze(-1), e2m1) + 8 * (blocks < 0)
        codes = codes.view(N, K // 2, 2)

        packed = codes[..., 0] + 16 * codes[..., 1]
        self.register_buffer("weight_packed", packed.to(torch.uint8))
        self.register_buffer("scales", scales.to(torch.uint8))
        self.register_buffer("global_scale", torch.tensor(global_scale, device="cpu"))

        signed = e2m1 + [-number for number in e2m1]
        self.register_buffer("e2m1", torch.tensor(signed, device="cpu"), persistent=False)
        self.register_buffer("e4m3", torch.tensor(e4m3, device="cpu"), persistent=False)

    def dequantise(self) -> torch.Tensor:
        """The weights in float32, [N, K]."""
        nibbles = [self.weight_packed & 0xF, self.weight_packed >> 4]
        codes = torch.stack(nibbles, dim=-1).view(self.N, -1, self.block_size)
        scales = self.e4m3.float()[self.scales.long()] * self.global_scale.float()
        return (self.e2m1.float()[codes.long()] * scales.unsqueeze(-1)).view(self.N, self.K)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return linear(x, self.dequantise().to(x.dtype))


batch_size = 8
seq_len = 2048
k = 4096
n = 4096


def get_inputs():
    return [torch.randn(batch_size, seq_len, k, dtype=torch.float16)]


def get_init_inputs():
    return [k, n]
