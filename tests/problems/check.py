#!/usr/bin/env python3
"""check.py SUITE...: every problem file of problems/SUITE, on the CPU.

Each file is loaded, looked at and run in a reduced form: tests/problems/
SUITE.json names the sizes to set in its module. TAP on standard output. What
the installed torch or a missing package cannot run is skipped, each with the
reason; everything else that goes wrong is a failure.
"""

import gc
import importlib.util
import inspect
import json
import os
import re
import sys
import warnings

import torch

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
NAME = re.compile(r"^([0-9]+)_[A-Za-z0-9_.-]+\.py$")


class Unable(Exception):
    """This torch cannot, which is not the problem's fault."""


class Wrong(Exception):
    """The problem's fault."""


def problems_of(suite):
    """(key, path), in the order of keys."""
    found = []
    root = os.path.join(SOURCE, "problems", suite)
    for level in sorted(os.listdir(root)):
        if level.startswith("level"):
            for file in os.listdir(os.path.join(root, level)):
                number = NAME.match(file)
                if number:
                    found.append(((int(level[5:]), int(number[1])),
                                  os.path.join(root, level, file)))
    return [("%d/%d" % key, path) for key, path in sorted(found)]


def expect(holds, what):
    if not holds:
        raise Wrong(what)


def load(path):
    spec = importlib.util.spec_from_file_location("problem", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ImportError as e:
        if e.name is None or e.name.split(".")[0] != "transformers":
            raise
        raise Unable("no transformers") from e
    return module


def look_at(module, sizes):
    expect(inspect.isclass(getattr(module, "Model", None)) and
           issubclass(module.Model, torch.nn.Module), "no Model")
    expect(module.Model.__doc__, "Model has no docstring")
    for name in ("get_inputs", "get_init_inputs"):
        expect(inspect.isfunction(getattr(module, name, None)), "no " + name)
    for name in sizes:
        expect(hasattr(module, name), "no size is called " + name)


def absent(error):
    """Is it torch that lacks something?"""
    said = str(error)
    return (isinstance(error, AttributeError) and "'torch" in said or
            isinstance(error, RuntimeError) and "not implemented for" in said)


def tensors_in(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in tensors_in(v)]
    if isinstance(value, dict):
        return [t for key in sorted(value) for t in tensors_in(value[key])]
    return []


def run(module):
    """The outputs of a fresh model on fresh inputs, always the same."""
    torch.manual_seed(1)
    model = module.Model(*module.get_init_inputs())
    torch.manual_seed(2)
    inputs = module.get_inputs()
    expect(isinstance(inputs, list), "get_inputs() returns no list")
    parameters = inspect.signature(model.forward).parameters.values()
    needed = [p for p in parameters if p.default is p.empty]
    expect(len(needed) <= len(inputs) <= len(parameters),
           "forward() does not take %d arguments" % len(inputs))
    before = [t.clone() for t in tensors_in(inputs)]
    torch.manual_seed(3)
    with torch.no_grad():
        outputs = tensors_in(model(*inputs))
    expect(all(torch.equal(a, b) for a, b in zip(before, tensors_in(inputs))),
           "forward() changes its inputs")
    expect(outputs, "forward() returns no tensor")
    return outputs


def check(path, sizes):
    module = load(path)
    look_at(module, sizes)
    for name, value in sizes.items():
        setattr(module, name,
                tuple(value) if isinstance(value, list) and
                isinstance(getattr(module, name), tuple) else value)
    try:
        first, second = run(module), run(module)
    except (AttributeError, RuntimeError) as e:
        if absent(e):
            raise Unable(str(e).splitlines()[0]) from e
        raise
    for a, b in zip(first, second):
        expect(torch.equal(a, b), "two runs differ")
        expect(not a.is_floating_point() or bool(torch.isfinite(a).all()),
               "NaN or Inf in an output")


def main(suites):
    number = bad = 0
    warnings.simplefilter("ignore")
    # What is this small takes longer with threads that wait for each other.
    torch.set_num_threads(1)
    # torch itself is no garbage: it need not be looked through each time.
    gc.freeze()
    for suite in suites:
        with open(os.path.join(SOURCE, "tests", "problems",
                               suite + ".json")) as f:
            reduced = json.load(f)
        found = problems_of(suite)
        number += 1
        if sorted(key for key, _ in found) == sorted(reduced):
            print("ok %d - %s: a reduced form for each" % (number, suite))
        else:
            bad = 1
            print("not ok %d - %s: a reduced form for each" % (number, suite))
        for key, path in found:
            number += 1
            name = "%s %s" % (suite, key)
            try:
                check(path, reduced.get(key, {}))
                print("ok %d - %s" % (number, name))
            except Unable as e:
                print("ok %d - %s # SKIP %s" % (number, name, e))
            except Exception as e:
                bad = 1
                print("# %s: %s" % (type(e).__name__, e))
                print("not ok %d - %s" % (number, name))
            sys.stdout.flush()
            gc.collect()
    print("1..%d" % number)
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
