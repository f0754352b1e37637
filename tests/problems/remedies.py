#!/usr/bin/env python3
"""remedies.py SUITE...: does every remedy in problems/SUITE do what it is for?

Each problem with remedy inputs is run in its reduced form on the CPU, on its
own inputs and on remedy inputs. On the latter none of these may pass a
tolerance of 1e-2: zeros, an input, the constant that is nearest to all outputs
on the problem's own inputs, and such an output itself. TAP on standard output.
"""

import json
import os
import sys
import warnings

import torch

from check import (SOURCE, Unable, absent, expect, load, problems_of,
                   tensors_in)

TOLERANCE = 1e-2


def passes(answer, expected):
    """Would kb-eval take it for right?"""
    return bool((abs(answer - expected)
                 <= TOLERANCE + TOLERANCE * abs(expected)).all())


def reduce(module, sizes):
    for name, value in sizes.items():
        was_tuple = isinstance(getattr(module, name), tuple)
        setattr(module, name, tuple(value) if was_tuple else value)


def build(module):
    torch.manual_seed(1)
    return module.Model(*module.get_init_inputs())


def draw(module, seed):
    torch.manual_seed(seed)
    return module.get_inputs()


def call(module, inputs):
    """The first output of a fresh model, always the same one."""
    model = build(module)
    torch.manual_seed(3)
    with torch.no_grad():
        return tensors_in(model(*inputs))[0]


def remedied(inputs, facts):
    names = [i["name"] for i in facts["inputs"]]
    for r in facts["remedy"]:
        i = names.index(r["input"])
        inputs[i] = inputs[i] * float(r["scale"]) + float(r["shift"])
    return inputs


def check(path, sizes, facts):
    module = load(path)
    reduce(module, sizes)
    own = call(module, draw(module, 2))
    inputs = remedied(draw(module, 4), facts)
    expected = call(module, inputs)
    middle = (own.min() + own.max()) / 2
    expect(bool(torch.isfinite(expected).all()), "NaN or Inf")
    expect(not passes(torch.zeros_like(expected), expected), "zeros pass")
    expect(not passes(middle.expand_as(expected), expected),
           "the constant %g passes" % middle)
    expect(not passes(own, expected), "an output on its own inputs passes")
    for i, value in enumerate(inputs):
        if isinstance(value, torch.Tensor) and value.shape == expected.shape:
            expect(not passes(value, expected), "input %d passes" % i)


def main(suites):
    number = bad = 0
    warnings.simplefilter("ignore")
    # What is this small takes longer with threads that wait for each other.
    torch.set_num_threads(1)
    for suite in suites:
        with open(os.path.join(SOURCE, "tests", "problems",
                               suite + ".json")) as f:
            reduced = json.load(f)
        with open(os.path.join(SOURCE, "problems", suite, "suite.json")) as f:
            problems = json.load(f)["problems"]
        for key, path in problems_of(suite):
            facts = problems.get(key)
            if not facts or not facts["remedy"]:
                continue
            number += 1
            name = "%s %s: its remedy is one" % (suite, key)
            try:
                check(path, reduced.get(key, {}), facts)
                print("ok %d - %s" % (number, name))
            except Unable as e:
                print("ok %d - %s # SKIP %s" % (number, name, e))
            except Exception as e:
                if absent(e):
                    print("ok %d - %s # SKIP %s" % (number, name, e))
                    continue
                bad = 1
                print("# %s: %s" % (type(e).__name__, e))
                print("not ok %d - %s" % (number, name))
            sys.stdout.flush()
    print("1..%d" % number)
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
