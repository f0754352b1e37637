"""RMSNorm over channels: all channels of some pixels stay in registers.

The reference squares, averages, adds, takes a root and divides, five passes of
which three read or write the whole tensor; here it is read and written once.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def rms_norm(y, x, channels, pixels, eps,
             CHANNELS: tl.constexpr, PIXELS: tl.constexpr):
    c = tl.arange(0, CHANNELS)[:, None]
    p = tl.program_id(0) * PIXELS + tl.arange(0, PIXELS)[None, :]
    at = (tl.program_id(1).to(tl.int64) * channels + c) * pixels + p
    mask = (c < channels) & (p < pixels)
    v = tl.load(x + at, mask=mask, other=0.0)
    rms = tl.sqrt(tl.sum(v * v, axis=0) / channels + eps)
    tl.store(y + at, v / rms[None, :], mask=mask)


class ModelNew(torch.nn.Module):
    def __init__(self, num_features, eps=1e-5):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        batch, channels = x.shape[:2]
        pixels = x.numel() // (batch * channels)
        y = torch.empty_like(x)
        rms_norm[(triton.cdiv(pixels, 128), batch)](
            y, x, channels, pixels, self.eps,
            CHANNELS=triton.next_power_of_2(channels), PIXELS=128)
        return y
