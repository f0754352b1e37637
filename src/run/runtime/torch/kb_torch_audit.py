"""Gathers the evidence for an audit of one problem in KernelBench's format.

    kb_torch_audit.py [OPTION]... PROBLEM ANSWER

    --cuda                on the CUDA device, not the CPU
    --seed N              that the module is built under
    --operations N        how many operations are taken out, at most
    --budget S            seconds for that, on each distribution
    --conventions NAME    the suite's: v3 puts the module into eval mode
    --reduced FILE KEY    set the names that FILE, a JSON object of objects,
                          has for KEY, before the module is built

ANSWER becomes one JSON object: the evidence, as kb-manifest(5) specifies it,
or how the problem failed. Numbers are integers, or decimals in strings. This
program measures and does not judge: which of it is a finding is decided by
src/judge/audit/judge.c.
"""

import argparse
import contextlib
import functools
import json
import os
import sys

from kb_torch_errors import Unsupported, flush, say

try:
    import torch
except Exception as error:  # a broken installation raises what it likes
    say("kb_torch_audit: cannot import torch: %s\n" % error)
    sys.exit(4)

from kb_torch_calls import configure
from kb_torch_difference import Outputs
from kb_torch_noise import error, try_noise
from kb_torch_problem import (DRAWS, INPUTS, OTHER_DRAWS, OTHER_INPUTS,
                              Distribution, Failure, Problem, blaming,
                              if_it_can, signed, state_of)
from kb_torch_removal import try_removals


# --- float64 -------------------------------------------------------------


def to_double(leaf):
    if isinstance(leaf, torch.Tensor) and leaf.is_floating_point():
        return leaf.double()
    return leaf


def double_module(problem):
    """Built anew, for not every module can be copied."""
    model = problem.construct().double()
    for held, name, tensor in state_of(model):
        if (tensor.is_floating_point()
                and not isinstance(tensor, torch.nn.Parameter)):
            held[name] = tensor.double()
    return model


@contextlib.contextmanager
def double_by_default():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def run_in_double(distribution, **options):
    model = double_module(distribution.problem)
    leaves = distribution.draw(INPUTS)
    # One after the other, so that not all are there twice.
    leaves = [to_double(leaves.pop(0)) for _ in range(len(leaves))]
    with double_by_default():
        return distribution.problem.call(model, leaves, DRAWS, **options)


def compare_with_double(distribution, base):
    """The errors of the outputs against the same module in float64."""
    outputs = run_in_double(distribution)
    for output, mine in zip(outputs, base.all):
        if (mine.tensor.is_floating_point()
                and output.dtype != torch.float64):
            raise Unsupported("an output stays %s in float64" % output.dtype)
    return {"outputs": [error(c) for c in base.errors(outputs)]}


# --- all of it -----------------------------------------------------------


def gather(distribution):
    base = Outputs(distribution.run())
    lists = {
        "identity": base.identities(distribution.draw(INPUTS)),
        "other_input": base.differences(distribution.run(seed=OTHER_INPUTS)),
        "repeat": base.differences(distribution.run()),
        "redraw": base.differences(distribution.run(draws=OTHER_DRAWS)),
    }
    outputs = [output.evidence() for output in base.all]
    for name, values in lists.items():
        for output, value in zip(outputs, values):
            output[name] = value
    return {
        "outputs": outputs,
        "float64": if_it_can(lambda: compare_with_double(distribution, base)),
        "noise": if_it_can(lambda: try_noise(
            functools.partial(run_in_double, distribution),
            distribution.problem.device)),
    }


def gather_all(problem):
    """Operations are taken out last: that may cost the device."""
    distributions = {"stated": Distribution(problem), "signed": signed(problem)}
    evidence = {"stated": gather(distributions["stated"]), "signed": None}
    if distributions["signed"]:
        evidence["signed"] = if_it_can(lambda: gather(distributions["signed"]))
    for name, distribution in distributions.items():
        if evidence[name] and "outputs" in evidence[name]:
            evidence[name]["removal"] = if_it_can(
                functools.partial(try_removals, distribution))
    return evidence


def audit(path, options):
    """The answer."""
    answer = {"failure": None, "evidence": None, "reduced": None}
    try:
        problem = Problem(path, options)
        answer["reduced"] = problem.reduced
        with blaming("run"):
            answer["evidence"] = gather_all(problem)
    except Failure as failure:
        answer["failure"] = {"status": failure.status, "phase": failure.phase,
                             "detail": failure.detail}
    return answer


def parse(arguments):
    parser = argparse.ArgumentParser(prog="kb_torch_audit.py")
    parser.add_argument("--cuda", action="store_true")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--operations", type=int, default=200)
    parser.add_argument("--budget", type=float, default=60)
    parser.add_argument("--conventions", default="kernelbench")
    parser.add_argument("--reduced", nargs=2, metavar=("FILE", "KEY"))
    parser.add_argument("problem")
    parser.add_argument("answer")
    return parser.parse_args(arguments, argparse.Namespace(
        tf32="off", deterministic="off"))


def main(arguments):
    options = parse(arguments)
    sys.dont_write_bytecode = True
    configure(options)
    with torch.no_grad():
        answer = audit(options.problem, options)
    with open(options.answer, "x", encoding="ascii") as file:
        json.dump(answer, file, sort_keys=True)
    flush()
    os._exit(0)  # what the code registered for the end is not ours


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
