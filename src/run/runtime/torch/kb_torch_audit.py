"""Gathers the evidence for an audit of one problem in KernelBench's format.

    kb_torch_audit.py [OPTION]... PROBLEM ANSWER

    --cuda                on the CUDA device, not the CPU
    --seed N              that the module is built under
    --operations N        how many operations are taken out, at most
    --budget S            seconds for that, on each distribution
    --conventions NAME    the suite's: v3 puts the module into eval mode
    --ranks N             several processes, each a rank of a group; outputs are
                          those of rank 0, then of rank 1 and so on
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
import math
import os
import sys

from kb_torch_errors import Unsupported, flush, say, speak_for

try:
    import torch
except Exception as error:  # a broken installation raises what it likes
    say("kb_torch_audit: cannot import torch: %s\n" % error)
    sys.exit(4)

from kb_torch_alone import WAYS
from kb_torch_calls import configure
from kb_torch_difference import Outputs, decimal
from kb_torch_noise import error, try_noise
from kb_torch_problem import (DRAWS, INPUTS, OTHER_DRAWS, OTHER_INPUTS,
                              Distribution, Failure, Problem, blaming,
                              check_counts, if_it_can, signed, state_of)
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
    check_counts(distribution.problem.ranks, base.all, "output")
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


def try_alone(distribution):
    """How much outputs change if ranks do not communicate."""
    base = Outputs(distribution.run())
    tried = []
    for call, (way, name) in enumerate(WAYS.items()):
        try:
            change = base.largest_change(distribution.run(
                inside=distribution.problem.alone.by(way)))
        except Exception:
            change = math.inf  # the rest needs it
        tried.append({"call": call, "name": name, "module": "",
                      "max_rel": decimal(change)})
    return {"operations": tried, "untried": 0}


def without(distribution):
    if distribution.problem.ranks.count > 1:
        return try_alone(distribution)
    return try_removals(distribution)


def merge(parts):
    """Evidence of all ranks about one thing."""
    lacking = [part for part in parts if "unavailable" in part]
    if lacking:
        return lacking[0]
    if "operations" not in parts[0]:
        return dict(parts[0], outputs=sum((p["outputs"] for p in parts), []),
                    **{name: merge([p[name] for p in parts])
                       for name in ("float64", "noise", "removal")
                       if name in parts[0]})
    return dict(parts[0], operations=[
        dict(same[0], max_rel=max((o["max_rel"] for o in same), key=float))
        for same in zip(*(p["operations"] for p in parts))])


def of_all_ranks(problem, evidence):
    parts = problem.ranks.gathered(evidence)
    return {name: parts[0][name] and merge([p[name] for p in parts])
            for name in evidence}


def gather_all(problem):
    """Operations are taken out last: that may cost the device."""
    distributions = {"stated": Distribution(problem), "signed": signed(problem)}
    evidence = {"stated": gather(distributions["stated"]), "signed": None}
    if distributions["signed"]:
        evidence["signed"] = if_it_can(lambda: gather(distributions["signed"]))
    for name, distribution in distributions.items():
        if evidence[name] and "outputs" in evidence[name]:
            evidence[name]["removal"] = if_it_can(
                functools.partial(without, distribution))
    return of_all_ranks(problem, evidence)


def fork_ranks(options):
    """What fails in one fails in all, since they call each other."""
    for rank in range(1, options.ranks):
        if not os.fork():
            options.rank = rank
            break
    if options.ranks > 1:
        speak_for(options.rank)


def audit(path, options):
    """The answer."""
    answer = {"failure": None, "evidence": None, "reduced": None}
    try:
        fork_ranks(options)
        problem = Problem(path, options)
        answer["reduced"] = problem.reduced
        with blaming("run"):
            answer["evidence"] = gather_all(problem)
    except Failure as failure:
        answer["failure"] = {"status": failure.status, "phase": failure.phase,
                             "detail": failure.detail}
    return answer


def write(answer, path):
    with open(path, "x", encoding="ascii") as file:
        json.dump(answer, file, sort_keys=True)


def write_first(answer, path, rank):
    """Other ranks fail when they wait for one that failed: the first tells why."""
    own = "%s.%d" % (path, rank)
    write(answer, own)
    with contextlib.suppress(FileExistsError):
        os.link(own, path)


def parse(arguments):
    parser = argparse.ArgumentParser(prog="kb_torch_audit.py")
    parser.add_argument("--cuda", action="store_true")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--operations", type=int, default=200)
    parser.add_argument("--budget", type=float, default=60)
    parser.add_argument("--conventions", default="kernelbench")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--reduced", nargs=2, metavar=("FILE", "KEY"))
    parser.add_argument("problem")
    parser.add_argument("answer")
    return parser.parse_args(arguments, argparse.Namespace(
        tf32="off", deterministic="off", rank=0))


def main(arguments):
    options = parse(arguments)
    sys.dont_write_bytecode = True
    configure(options)
    with torch.no_grad():
        answer = audit(options.problem, options)
    if options.ranks == 1:
        write(answer, options.answer)
    elif not options.rank or answer["failure"]:
        write_first(answer, options.answer, options.rank)
    flush()
    os._exit(0)  # what the code registered for the end is not ours


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
