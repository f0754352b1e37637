"""A transposed convolution averaged over its depth, as one of two dimensions.

With stride 1 the planes of the output that get tap k of plane i are all, but for
those that fall outside. So the sum over the depth is the convolution of the sums
of the planes that each tap carries into the output, as channels: a thirty-second
of the arithmetic, for all inputs and weights. Both biases, softmax and tanh follow
in one kernel.
"""
import torch
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def tap_sums(sums, x, channels, depth, pixels, padding,
             TAPS: tl.constexpr, BLOCK: tl.constexpr):
    """Of all planes, but for those that a tap carries out of the output."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < pixels
    plane = tl.program_id(1).to(tl.int64)
    batch = plane // channels
    channel = plane % channels
    outputs = depth + TAPS - 1 - 2 * padding
    for tap in tl.static_range(TAPS):
        total = tl.zeros((BLOCK,), tl.float32)
        # Input i and this tap make output i + tap - padding.
        first = tl.maximum(padding - tap, 0)
        end = tl.minimum(outputs + padding - tap, depth)
        for i in range(first, end):
            total += tl.load(x + (plane * depth + i) * pixels + at, mask=mask,
                             other=0.0)
        out = (batch * TAPS + tap) * channels + channel
        tl.store(sums + out * pixels + at, total, mask=mask)


@triton.jit
def finish(y, x, conv_bias, bias, channels, pixels, depth, factor,
           CHANNELS: tl.constexpr, PIXELS: tl.constexpr):
    c = tl.arange(0, CHANNELS)[:, None]
    p = tl.program_id(0) * PIXELS + tl.arange(0, PIXELS)[None, :]
    mask = (c < channels) & (p < pixels)
    at = (tl.program_id(1).to(tl.int64) * channels + c) * pixels + p
    v = tl.load(x + at, mask=mask, other=0.0) / depth
    v += tl.load(conv_bias + c, mask=c < channels, other=0.0)
    v += tl.load(bias + c, mask=c < channels, other=0.0)
    v = tl.where(c < channels, v, float("-inf"))
    e = tl.exp(v - tl.max(v, axis=0)[None, :])
    share = e / tl.sum(e, axis=0)[None, :]
    # tanh(u) is 2 sigmoid(2u) - 1.
    tl.store(y + at, (2.0 / (1.0 + tl.exp(-2.0 * share)) - 1.0) * factor,
             mask=mask)


class ModelNew(torch.nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride, padding,
                 scaling_factor):
        super().__init__()
        if stride != 1:
            raise ValueError("only for stride 1")
        self.conv_transpose = torch.nn.ConvTranspose3d(
            in_channels, out_channels, kernel_size, stride=stride,
            padding=padding)
        self.bias = torch.nn.Parameter(torch.randn(1, out_channels, 1, 1, 1))
        self.padding = padding
        self.scaling_factor = scaling_factor

    def forward(self, x):
        batch, channels, depth, height, width = x.shape
        weight = self.conv_transpose.weight
        taps, out = weight.shape[2], weight.shape[1]
        sums = x.new_empty(batch, taps * channels, height, width)
        tap_sums[(triton.cdiv(height * width, 1024), batch * channels)](
            sums, x, channels, depth, height * width, self.padding, TAPS=taps,
            BLOCK=1024)
        flat = weight.permute(2, 0, 1, 3, 4).reshape(taps * channels, out,
                                                     *weight.shape[3:])
        v = F.conv_transpose2d(sums, flat, padding=self.padding)
        pixels = v.shape[2] * v.shape[3]
        y = x.new_empty(batch, out, 1, *v.shape[2:])
        finish[(triton.cdiv(pixels, 128), batch)](
            y, v, self.conv_transpose.bias, self.bias, out, pixels,
            depth + taps - 1 - 2 * self.padding, self.scaling_factor,
            CHANNELS=triton.next_power_of_2(out), PIXELS=128)
        return y
