#!/usr/bin/env python3
"""choices.py: where a problem chooses by scores, does rounding choose?

v3 4/2 in its reduced form, under 100 seeds of weights and inputs: candidates that compute the
router's scores in another order, in float64, or from factors rounded to bfloat16, must give the
outputs of the reference. Each token for which one of them chose another expert would be wrong by a
hundred times the tolerance. TAP on standard output.
"""

import json
import os
import sys

import torch

from check import SOURCE, load, problems_of
from remedies import reduce

SUITE, KEY = "kernelbench-v3", "4/2"
SEEDS = 100
TOLERANCE = 1e-3
plain = torch.nn.functional.linear


def in_halves(x, weight):
    half = x.shape[-1] // 2
    return (plain(x[:, :half], weight[:, :half])
            + plain(x[:, half:], weight[:, half:]))


def in_double(x, weight):
    return plain(x.double(), weight.double())


def from_bfloat16(x, weight):
    return plain(x.bfloat16().float(), weight.bfloat16().float())


def output(module, model, x, scores_by):
    """With that function in place of F.linear() where the router scores."""

    def swap(function):
        module.F.linear = function

    hooks = [model.gate.register_forward_pre_hook(lambda *_: swap(scores_by)),
             model.gate.register_forward_hook(lambda *_: swap(plain))]
    try:
        return model(x).double()
    finally:
        swap(plain)
        for hook in hooks:
            hook.remove()


def passes(module, scores_by):
    """Under how many seeds a candidate that scores like this is right."""
    count = 0
    for seed in range(SEEDS):
        torch.manual_seed(seed)
        model = module.Model(*module.get_init_inputs())
        x, = module.get_inputs()
        want = output(module, model, x, plain)
        error = (output(module, model, x, scores_by) - want).abs()
        count += bool((error <= TOLERANCE + TOLERANCE * want.abs()).all())
    return count


def main():
    torch.set_num_threads(1)
    with open(os.path.join(SOURCE, "tests", "problems", SUITE + ".json")) as f:
        sizes = json.load(f)[KEY]
    module = load(dict(problems_of(SUITE))[KEY])
    reduce(module, sizes)
    ways = [in_halves, in_double, from_bfloat16]
    bad = 0
    with torch.no_grad():
        for number, way in enumerate(ways, 1):
            count = passes(module, way)
            bad += count < SEEDS
            print("%s %d - %s %s: scores %s pass under %d of %d seeds"
                  % ("ok" if count == SEEDS else "not ok", number, SUITE, KEY,
                     way.__name__.replace("_", " "), count, SEEDS))
    print("1..%d" % len(ways))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
