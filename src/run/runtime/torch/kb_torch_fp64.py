"""A module in float64, and how far its outputs are from that."""

import contextlib
import math

import torch

from kb_torch_errors import Unsupported


# What a float of 16 bits or more is widened to; 8 bits were chosen on purpose.
WIDE = {torch.float16: torch.float64, torch.bfloat16: torch.float64,
        torch.float32: torch.float64, torch.complex32: torch.complex128,
        torch.complex64: torch.complex128}


def widened(value, copied=False):
    """A tensor, as wide as there is; `copied` even if that changes nothing."""
    if not isinstance(value, torch.Tensor):
        return value
    return value.to(WIDE.get(value.dtype, value.dtype), copy=copied)


def widen(model):
    """The module itself, with its parameters, its buffers and the tensors
    that are mere attributes."""
    model._apply(widened)  # what float() and double() are made of
    for module in model.modules():
        for name, value in vars(module).items():
            if type(value) is torch.Tensor:
                setattr(module, name, widened(value))
    return model


@contextlib.contextmanager
def wide_floats(precision):
    """All floats that code makes are float64, even where it asks for less:
    that was for the sake of the working precision, which is `precision` where
    code does not say. Random numbers are those of the working precision."""
    if not hasattr(torch.overrides, "TorchFunctionMode"):
        raise Unsupported("torch %s is too old" % torch.__version__)
    casts = {getattr(torch.Tensor, name): torch.Tensor.double
             for name in ("float", "half", "bfloat16")}
    default = torch.get_default_dtype()
    drawn = {torch.rand: default, torch.rand_like: precision,
             torch.randn: default, torch.randn_like: precision}

    def wide(value):
        return WIDE.get(value, value) if isinstance(value,
                                                    torch.dtype) else value

    class Wide(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            if function in drawn:
                asked = kwargs.get("dtype") or drawn[function]
                if asked == torch.float64:  # x.dtype, and x was widened
                    asked = precision
                return widened(function(*args, **{**kwargs, "dtype": asked}))
            function = casts.get(function, function)
            return function(*map(wide, args),
                            **{k: wide(v) for k, v in kwargs.items()})

    torch.set_default_dtype(torch.float64)
    try:
        with Wide():
            yield
    finally:
        torch.set_default_dtype(default)


class Errors:
    """How far an output is from what float64 gives, the worst of all calls;
    struct kb_fp64_error_entry says of which elements."""

    CHUNK_ELEMENTS = 1 << 22  # so that only these are there in float64 twice

    def __init__(self):
        self.largest = [0.0, 0.0]  # of b - o, of b
        self.rms = [0.0, 0.0]

    def add(self, got, expected):
        squares = [0.0, 0.0]
        got, expected = got.reshape(-1), expected.reshape(-1)
        for first in range(0, got.numel(), self.CHUNK_ELEMENTS):
            chunk = slice(first, first + self.CHUNK_ELEMENTS)
            b, o = got[chunk].double(), expected[chunk].double()
            both = torch.isfinite(b) & torch.isfinite(o)
            for k, value in enumerate((b - o, b)):
                value = torch.where(both, value, torch.zeros_like(value))
                self.largest[k] = max(self.largest[k],
                                      value.abs().max().item())
                squares[k] += value.square().sum().item()
        for k, square in enumerate(squares):
            self.rms[k] = max(self.rms[k],
                              math.sqrt(square / max(got.numel(), 1)))

    def numbers(self):
        return (self.largest[0], self.rms[0], self.largest[1], self.rms[1])
