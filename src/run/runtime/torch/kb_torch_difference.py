"""Numbers about outputs of a call, and about how far those of another call are
from them, for audits."""

import math

import torch

from kb_torch_errors import Unsupported

# KernelBench's tolerances: a is near b if |a - b| <= t + t |b|.
TOLERANCES = {"1e-4": 1e-4, "1e-2": 1e-2}

# Outputs can fill half a device: no second copy of one is made in float64.
CHUNK_ELEMENTS = 1 << 24


def decimal(x):
    return "%.9g" % x


def chunks(*tensors):
    """Of flat tensors of one size: pieces in float64."""
    flat = [tensor.reshape(-1) for tensor in tensors]
    for start in range(0, flat[0].numel(), CHUNK_ELEMENTS):
        yield [f[start:start + CHUNK_ELEMENTS].double() for f in flat]


class Within:
    """How many elements are equal, and how many near, to what is expected.
    Equal are a NaN and a NaN, too; what is not finite is near nothing."""

    def __init__(self, device):
        self.counts = torch.zeros(1 + len(TOLERANCES), dtype=torch.int64,
                                  device=device)

    def add(self, got, want):
        """Returns the errors: 0 where equal, else infinite where one of the
        two is not finite."""
        same = (got == want) | (torch.isnan(got) & torch.isnan(want))
        error = (got - want).abs()
        error = torch.where(torch.isfinite(error), error, math.inf)
        error = torch.where(same, 0.0, error)
        finite = torch.isfinite(error)
        size = want.abs()
        near = [same] + [same | finite & (error <= t + t * size)
                         for t in TOLERANCES.values()]
        self.counts += torch.stack([n.sum() for n in near])
        return error

    def result(self):
        return dict(zip(["equal", *TOLERANCES], self.counts.tolist()))


class Comparison:
    """`got` against `want`, tensors of one shape."""

    def __init__(self, got, want):
        if got.shape != want.shape:
            raise Unsupported("outputs of two calls have the shapes %s and %s"
                              % (tuple(got.shape), tuple(want.shape)))
        self.within = Within(want.device)
        largest, scaled, squares = torch.zeros(3, dtype=torch.float64,
                                               device=want.device)
        for a, b in chunks(got, want):
            error = self.within.add(a, b)
            # Beside what is not finite an error is 0 or infinite.
            share = torch.where(torch.isfinite(b), error / (1 + b.abs()),
                                error)
            largest = torch.maximum(largest, error.max())
            scaled = torch.maximum(scaled, share.max())
            squares = squares + error.square().sum()
        self.largest, self.scaled = largest.item(), scaled.item()
        self.rms = math.sqrt(squares.item() / max(1, want.numel()))

    def relative(self, magnitude):
        """The largest error in units of the largest magnitude."""
        if not self.largest:
            return 0.0
        return self.largest / magnitude if magnitude else math.inf


class Output:
    """What there is to say of one output by itself."""

    def __init__(self, tensor):
        self.tensor = tensor
        self.zero = Within(tensor.device)
        device = tensor.device
        low, high = (torch.tensor(x, dtype=torch.float64, device=device)
                     for x in (math.inf, -math.inf))
        total = torch.zeros((), dtype=torch.float64, device=device)
        finite = torch.zeros((), dtype=torch.int64, device=device)
        for x, in chunks(tensor):
            good = torch.isfinite(x)
            low = torch.minimum(low, torch.where(good, x, math.inf).min())
            high = torch.maximum(high, torch.where(good, x, -math.inf).max())
            total = total + torch.where(good, x, 0.0).sum()
            finite = finite + good.sum()
            self.zero.add(torch.zeros_like(x), x)
        self.finite = finite.item()
        self.low, self.high = low.item(), high.item()
        self.mean = total.item() / max(1, self.finite)
        self.magnitude = (max(abs(self.low), abs(self.high)) if self.finite
                          else 0.0)
        self.constants = self.try_constants()

    def try_constants(self):
        """Those that are near most of it, as far as two guesses tell; and
        the spread around the mean on the way."""
        device = self.tensor.device
        guesses = {
            "midrange": self.low / 2 + self.high / 2 if self.finite else 0.0,
            "mean": self.mean,
        }
        within = {name: Within(device) for name in guesses}
        squares = torch.zeros((), dtype=torch.float64, device=device)
        for x, in chunks(self.tensor):
            for name, guess in guesses.items():
                within[name].add(torch.full_like(x, guess), x)
            good = torch.isfinite(x)
            squares = squares + torch.where(good, x - self.mean,
                                            0.0).square().sum()
        self.std = math.sqrt(squares.item() / max(1, self.finite))
        return {name: w.result() for name, w in within.items()}

    def evidence(self):
        known = self.finite > 0
        return {
            "dtype": str(self.tensor.dtype).split(".")[-1],
            "elements": self.tensor.numel(),
            "finite": self.finite,
            "min": decimal(self.low) if known else None,
            "max": decimal(self.high) if known else None,
            "mean": decimal(self.mean) if known else None,
            "std": decimal(self.std) if known else None,
            "near": {"zero": self.zero.result(), **self.constants},
        }


class Outputs:
    """Of a call that all others are compared with."""

    def __init__(self, tensors):
        self.all = [Output(tensor) for tensor in tensors]

    def check_count(self, tensors):
        if len(tensors) != len(self.all):
            raise Unsupported("two calls have %d and %d outputs" % (
                len(tensors), len(self.all)))

    def compare(self, tensors):
        self.check_count(tensors)
        return [Comparison(got, want.tensor)
                for got, want in zip(tensors, self.all)]

    def errors(self, exact):
        self.check_count(exact)
        return [Comparison(mine.tensor, want)
                for mine, want in zip(self.all, exact)]

    def differences(self, tensors):
        return [{
            "max_abs": decimal(c.largest),
            "max_rel": decimal(c.relative(o.magnitude)),
            "within": c.within.result(),
        } for c, o in zip(self.compare(tensors), self.all)]

    def largest_change(self, tensors):
        """Relative to the magnitude of the output where it is largest."""
        return max(c.relative(o.magnitude)
                   for c, o in zip(self.compare(tensors), self.all))

    def identities(self, leaves):
        return [next((i for i, leaf in enumerate(leaves)
                      if is_same(o.tensor, leaf)), None) for o in self.all]


BITS = {1: "uint8", 2: "int16", 4: "int32", 8: "int64"}


def is_same(output, leaf):
    """Bit by bit: a zero and a minus zero are not."""
    if (not isinstance(leaf, torch.Tensor) or leaf.shape != output.shape
            or leaf.dtype != output.dtype):
        return False
    bits = getattr(torch, BITS[output.element_size()])
    return torch.equal(leaf.contiguous().view(-1).view(bits),
                       output.view(-1).view(bits))
