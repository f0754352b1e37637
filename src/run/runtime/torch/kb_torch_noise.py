"""How far outputs in float64 move when every result of a call of torch's
functions is moved a little, as rounding would, for audits. Where nothing is
chosen, noise that is RATIO times as large moves them RATIO times as far.
"""

import torch

from kb_torch_difference import Outputs, decimal
from kb_torch_problem import memory_of, unavailable
from kb_torch_removal import function_mode

# Relative; audit/judge.h has the ratio of the second to the first. The large
# one is what rounding to TF32 does.
SIZES = {"small": 2.0**-18, "large": 2.0**-11}

# What code narrows to float32 is still exact enough to show the small one.
WIDE = torch.float64, torch.float32

# The same numbers at both sizes, so that they move the same way.
SEED = 5

# What moves, selects, compares or makes elements does not round them. Without
# the underscores at both ends.
EXACT = frozenset(
    "get getitem setitem set view view_as reshape flatten unflatten permute"
    " transpose t swapaxes movedim squeeze unsqueeze expand expand_as select"
    " narrow split chunk unbind unfold contiguous clone detach to type type_as"
    " float half bfloat16 double cat concat stack pad flip roll repeat"
    " repeat_interleave tril triu masked_fill where copy fill zero"
    " index_select gather scatter take_along_dim embedding diagonal"
    " zeros_like ones_like empty_like full_like rand_like randn_like bernoulli"
    " new_zeros new_ones new_full new_empty tensor as_tensor arange empty eye"
    " full linspace ones rand randint randn randperm zeros"
    " max min amax amin topk sort msort kthvalue maximum minimum clamp"
    " clamp_min clamp_max relu relu6 hardtanh neg negative abs sign floor ceil"
    " round trunc max_pool1d max_pool2d max_pool3d adaptive_max_pool1d"
    " adaptive_max_pool2d adaptive_max_pool3d".split())


def make_noise(size, device):
    """A context in which results are multiplied by what is near 1."""

    class Noise(function_mode()):
        def __init__(self):
            super().__init__()
            self.generator = torch.Generator(device).manual_seed(SEED)

        def factors(self, like):
            return torch.empty_like(like).uniform_(
                1 - size, 1 + size, generator=self.generator)

        def moved(self, result, before, in_place):
            """`before` is the memory of the arguments."""
            if isinstance(result, (list, tuple)):
                return type(result)([self.moved(r, before, in_place)
                                     for r in result])
            if (not isinstance(result, torch.Tensor)
                    or result.dtype not in WIDE):
                return result
            if memory_of(result) not in before:
                return result * self.factors(result)
            return result.mul_(self.factors(result)) if in_place else result

        def __torch_function__(self, function, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            result = function(*args, **kwargs)
            name = getattr(function, "__name__", "")
            if name.strip("_") in EXACT:
                return result
            before = {memory_of(a) for a in (*args, *kwargs.values())
                      if isinstance(a, torch.Tensor)}
            in_place = name.endswith("_") and (
                not name.endswith("__") or name.startswith("__i"))
            return self.moved(result, before, in_place)

    return Noise()


def error(comparison):
    return {
        "max_abs": decimal(comparison.largest),
        "max_scaled": decimal(comparison.scaled),
        "rms": decimal(comparison.rms),
    }


def try_noise(run_in_double, device):
    """The errors that noise of each size makes; `run_in_double` makes a call
    inside the context that it is given."""
    if not function_mode():
        return unavailable("torch %s has no TorchFunctionMode"
                           % torch.__version__)
    base = Outputs(run_in_double())
    outputs = [{} for _ in base.all]
    for name, size in SIZES.items():
        noisy = run_in_double(inside=make_noise(size, device))
        for output, comparison in zip(outputs, base.compare(noisy)):
            output[name] = error(comparison)
    return {"outputs": outputs}
