import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Product of activations and a weight matrix, both quantised to FP8 with one scale per tensor
    ("FP8 Formats for Deep Learning", Micikevicius et al. 2022).

    x: float16 [batch_size, seq_len, K]; weight: [K, N]; output: float16 [batch_size, seq_len, N].

    The scale maps the largest magnitude of a tensor to the largest FP8 number, of E4M3 or, with
    use_e4m3 false, of E5M2. The weight is quantised on every call. The weight is drawn with seed
    1337, whatever the seed in force; M, the number of rows of x, is kept but not used. The
    product is the FP8 one of the GPU where it has that (compute capability 8.9 and later);
    elsewhere, and in forward_plain, it is the float32 product of the quantised tensors.
    """

    def __init__(self, M: int, K: int, N: int, use_e4m3: bool):
        super().__init__()
        self.M = M
        self.K = K
        self.N = N
        self.use_e4m3 = use_e4m3
        generator = torch.Generator(device="cpu").manual_seed(1337)
        weight = torch.randn(K, N, generator=generator, device="cpu")
        self.weight = nn.Parameter(weight * 0.02)

    def quantise(self, t: torch.Tensor):
        """The FP8 numbers and the float32 factor that leads back to t."""
        dtype = torch.float8_e4m3fn if self.use_e4m3 else torch.float8_e5m2
        largest = 448.0 if self.use_e4m3 else 57344.0
        scale = largest / t.abs().max().clamp(min=1e-12)
        return (t * scale).clamp(-largest, largest).to(dtype), scale.float().reciprocal()

    def operands(self, x: torch.Tensor):
        a, a_factor = self.quantise(x.reshape(-1, self.K))
        b, b_factor = self.quantise(self.weight.t().contiguous())
        return a, b.t(), a_factor, b_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not x.is_cuda or torch.cuda.get_device_capability(x.device) < (8, 9):
            return self.forward_plain(x)
        a, b, a_factor, b_factor = self.operands(x)
        y = torch._scaled_mm(a, b, scale_a=a_factor, scale_b=b_factor, out_dtype=x.dtype)
        return y.view(*x.shape[:-1], self.N)

    def forward_plain(self, x: torch.Tensor) -> torch.Tensor:
        a, b, a_factor, b_factor = self.operands(x)
        y = torch.matmul(a.float(), b.float()) * (a_factor * b_factor)
        return y.to(x.dtype).view(*x.shape[:-1], self.N)


batch_size = 8
seq_len = 2048
k = 4096
n = 4096
use_e4m3 = True


def get_inputs():
    return [torch.randn(batch_size, seq_len, k, dtype=torch.float16)]


def get_init_inputs():
    return [batch_size * seq_len, k, n, use_e4m3]
