"""Operations of a problem that can be left out, for audits: each is replaced by
its first argument, and the outputs are compared with those of the whole."""

import contextlib
import functools
import math
import time

import torch

from kb_torch_difference import Outputs, decimal
from kb_torch_errors import ran_out_of_memory
from kb_torch_problem import memory_of, state_of, unavailable


def first_tensor(args, kwargs):
    return next((a for a in (*args, *kwargs.values())
                 if isinstance(a, torch.Tensor)), None)


class Operation:
    """A call whose result could be its first tensor argument as well."""

    def __init__(self, call, name, module):
        self.call, self.name, self.module = call, name, module

    def evidence(self, change):
        return {"call": self.call, "name": self.name, "module": self.module,
                "max_rel": decimal(change)}


def name_of(function):
    name = value_of(lambda: torch.overrides.resolve_name(function))
    return name or getattr(function, "__name__", "a function")


def value_of(function):
    with contextlib.suppress(Exception):
        return function()
    return None


def function_mode():
    """Modes came with torch 1.13."""
    return getattr(torch.overrides, "TorchFunctionMode", None)


def make_tracer(model):
    """A context in which calls of torch's functions are counted. What a
    function calls itself is part of it."""

    class Tracer(function_mode()):
        def __init__(self, skip=None):
            super().__init__()
            self.skip = skip  # an Operation
            self.calls = 0
            self.operations = []
            self.state = {memory_of(t) for _, _, t in state_of(model)}
            self.path = []

        def __torch_function__(self, function, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            call = self.calls
            self.calls += 1
            first = first_tensor(args, kwargs)
            if self.skip and call == self.skip.call:
                if name_of(function) != self.skip.name:
                    raise RuntimeError("calls come in another order")
                return first
            version = value_of(lambda: first._version)
            result = function(*args, **kwargs)
            if not self.skip and self.may_go(first, version, result):
                self.operations.append(Operation(
                    call, name_of(function), self.path[-1]))
            return result

        def may_go(self, first, version, result):
            """Not what notes something in the module, nor what computes
            nothing because it only looks at its argument's memory."""
            if (first is None or not isinstance(result, torch.Tensor)
                    or result.shape != first.shape
                    or result.dtype != first.dtype):
                return False
            if memory_of(result) in self.state:
                return False
            return (memory_of(result) != memory_of(first)
                    or value_of(lambda: first._version) != version)

        def enter(self, path, *_):
            self.path.append(path)

        def leave(self, *_):
            self.path.pop()

    return Tracer


def find_operations(distribution, tracer):
    """By a call in which the tracer knows what module it is in."""
    hooks = []
    for path, module in distribution.problem.model.named_modules():
        hooks.append(module.register_forward_pre_hook(
            functools.partial(tracer.enter, path)))
        hooks.append(module.register_forward_hook(tracer.leave))
    try:
        distribution.run(inside=tracer)
    finally:
        for hook in hooks:
            hook.remove()
    return tracer.operations


def change_without(distribution, base, tracer):
    """How much outputs change when an operation is not done."""
    try:
        return base.largest_change(distribution.run(inside=tracer))
    except Exception as error:
        if ran_out_of_memory(error):
            raise
        return math.inf  # the rest needs it


def device_answers(options):
    """An index that is out of bounds ends a CUDA device for its process."""
    try:
        if options.cuda:
            torch.cuda.synchronize()
    except RuntimeError:
        return False
    return True


def try_removals(distribution):
    """Take out one operation after the other."""
    options = distribution.problem.options
    if not function_mode():
        return unavailable("torch %s has no TorchFunctionMode"
                           % torch.__version__)
    base = Outputs(distribution.run())
    make = make_tracer(distribution.problem.model)
    operations = find_operations(distribution, make())
    deadline = time.monotonic() + options.budget
    tried = []
    for operation in operations[:options.operations]:
        if time.monotonic() > deadline:
            break
        tried.append(operation.evidence(
            change_without(distribution, base, make(operation))))
        if not device_answers(options):
            break
    return {"operations": tried, "untried": len(operations) - len(tried)}
