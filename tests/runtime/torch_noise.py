"""torch_noise.py LIBEXEC: how far an audit's noise moves what it should, and
that it moves nothing else. TAP on stdout."""

import os
import sys

from torch_audit import audit, stated, torch
from torch_rig import run_tests

import kb_torch_noise as noise


def moved(forward, **more):
    """By each noise, at most; and how many times further by the larger."""
    distribution = stated(forward, **more)
    got = noise.try_noise(
        lambda **options: audit.run_in_double(distribution, **options), "cpu")
    sizes = got["outputs"][0]
    small, large = (float(sizes[k]["max_abs"]) for k in ("small", "large"))
    return small, large, large / small if small else None


def test_noise_moves_what_is_rounded_in_proportion():
    for forward in ("return x * 2", "return torch.exp(x).sum(dim=1)",
                    "return torch.softmax(x, dim=1).to(torch.float64) + 1",
                    "return x.float() * 2",
                    "y = torch.zeros(8); y += x[0]; y.mul_(3); return y",
                    "return torch.std_mean(x, dim=1)"):
        small, large, ratio = moved(forward)
        assert 2e-7 < small < 1e-3 and 120 < ratio < 136, (forward, ratio)


def test_noise_leaves_what_is_not_rounded():
    for forward in ("return x.t().contiguous()[2:]", "return torch.relu(-x)",
                    "return x.argmax(dim=1)", "return x.topk(3, dim=1)",
                    "return torch.cat([x, x.amax(dim=1, keepdim=True)], 1)",
                    "return torch.ones(3)", "return (x > 0.5).long()"):
        assert moved(forward)[:2] == (0, 0), forward


def test_noise_shows_a_choice_out_of_proportion():
    # Far from each other at first, then near, then nearer than either noise.
    for apart, proportion in ((0.1, True), (1e-4, False), (1e-7, False)):
        small, large, ratio = moved(
            "return torch.where(x * 3 > x * (3 + %g), x + 1, -2 * x)" % apart,
            inputs="torch.rand(256, 256)")
        assert (ratio is not None and 32 < ratio < 512) == proportion, (
            apart, small, large)


def test_noise_leaves_the_generators_alone():
    again = stated("return x + torch.rand_like(x)")
    plain = audit.run_in_double(again)[0]
    noisy = audit.run_in_double(again,
                                inside=noise.make_noise(2.0**-18, "cpu"))[0]
    assert 0 < (plain - noisy).abs().max() < 1e-4


def test_noise_needs_modes():
    kept, noise.function_mode = noise.function_mode, lambda: None
    try:
        got = noise.try_noise(None, "cpu")
    finally:
        noise.function_mode = kept
    assert got["unavailable"].endswith("has no TorchFunctionMode"), got


def test_ratio_of_noises_is_the_judges():
    header = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..",
                          "..", "src", "ground", "manifest",
                          "evidence.h")
    with open(header) as file:
        define = next(line for line in file if "KB_NOISE_RATIO" in line)
    sizes = noise.SIZES
    assert sizes["large"] / sizes["small"] == float(define.split()[2])


if __name__ == "__main__":
    sys.exit(run_tests(globals(), torch.no_grad))
