"""Gathers the evidence for an audit of one problem in KernelBench's format.

    kb_torch_audit.py [OPTION]... PROBLEM ANSWER

    --cuda                on the CUDA device, not the CPU
    --seed N              that the module is built under
    --operations N        how many operations are taken out, at most
    --budget S            seconds for that, on each distribution
    --reduced FILE KEY    set the names that FILE, a JSON object of objects,
                          has for KEY, before the module is built

ANSWER becomes one JSON object: the evidence, as kb-manifest(5) specifies it,
or how the problem failed. Numbers are integers, or decimals in strings. This
program measures and does not judge: which of it is a finding is decided by
src/audit/judge.c.
"""

import argparse
import contextlib
import functools
import json
import math
import os
import sys
import time

from kb_torch_errors import (Unsupported, explain, flush, ran_out_of_memory,
                             say)

try:
    import torch
except Exception as error:  # a broken installation raises what it likes
    say("kb_torch_audit: cannot import torch: %s\n" % error)
    sys.exit(4)

from kb_torch_calls import (configure, construct, flatten_result, import_file,
                            put_together, seed_generators, take_apart)

# Seeds of inputs and, where forward() draws numbers, of those.
INPUTS, OTHER_INPUTS = 1, 2
DRAWS, OTHER_DRAWS = 3, 4

# KernelBench's tolerances: a is near b if |a - b| <= t + t |b|.
TOLERANCES = {"1e-4": 1e-4, "1e-2": 1e-2}

# Outputs can fill half a device: no second copy of one is made in float64.
CHUNK_ELEMENTS = 1 << 24

OUTPUTS_MAX = 32  # what a worker can express


class Failure(Exception):
    """The problem cannot be audited."""

    def __init__(self, status, phase, detail):
        super().__init__(detail)
        self.status, self.phase, self.detail = status, phase, detail


def phrase(error):
    """One line about an exception, for a record."""
    words = " ".join(str(error).split())
    text = type(error).__name__ + (": " + words if words else "")
    return "".join(c if c.isprintable() else "?" for c in text[:200])


@contextlib.contextmanager
def blaming(phase):
    """What is raised inside is the problem's failure in that phase."""
    try:
        yield
    except Failure:
        raise
    except BaseException as error:  # sys.exit() is no way to succeed
        explain(error)
        status = phase + "_failed"
        if ran_out_of_memory(error):
            status = "out_of_memory"
        raise Failure(status, phase, phrase(error)) from None


def unavailable(why):
    return {"unavailable": why}


def if_it_can(gather):
    """What `gather` returns, or why there is none: that one part of the
    evidence cannot be had does not spoil the rest."""
    try:
        return gather()
    except Exception as error:
        if ran_out_of_memory(error):
            return unavailable("out of memory")
        return unavailable(phrase(error))


def decimal(x):
    return "%.9g" % x


# --- the problem ---------------------------------------------------------


class Problem:
    def __init__(self, path, options):
        self.options = options
        self.device = torch.device("cuda:0" if options.cuda else "cpu")
        with blaming("load"):
            with self.building():
                self.module = import_file("kb_problem", path, options.seed)
            self.reduced = self.reduce()
            self.model = self.construct()
            self.nesting, _ = self.draw(INPUTS)

    def building(self):
        """As kb_torch_host.Host and kb_torch_cuda.Device have it."""
        return self.device if self.options.cuda else contextlib.nullcontext()

    def adopt(self, thing):
        return thing.to(self.device) if self.options.cuda else thing

    def reduce(self):
        """Set the names; returns what they became, as text."""
        if not self.options.reduced:
            return None
        path, key = self.options.reduced
        with open(path, encoding="utf-8") as file:
            names = json.load(file).get(key)
        for name, value in (names or {}).items():
            if not hasattr(self.module, name):
                raise Failure("load_failed", "load",
                              "there is no '%s' to reduce" % name)
            if isinstance(getattr(self.module, name), tuple):
                value = tuple(value)
            setattr(self.module, name, value)
        if not names:
            return None
        return {name: repr(getattr(self.module, name)) for name in names}

    def construct(self):
        with self.building():
            model = construct(self.module.Model, self.module,
                              self.options.seed)
        return self.adopt(model)

    def draw(self, seed):
        """How the arguments nest, and the tensors and numbers in them."""
        seed_generators(seed)
        with self.building():
            inputs = self.module.get_inputs()
        if not isinstance(inputs, (list, tuple, dict)):
            inputs = [inputs]
        leaves = []
        nesting = take_apart(inputs, leaves)
        return nesting, [self.adopt(leaf) if isinstance(leaf, torch.Tensor)
                         else leaf for leaf in leaves]

    def number(self, value, dtype):
        return torch.tensor(value, dtype=dtype, device=self.device)

    def call(self, model, leaves, seed, inside=contextlib.nullcontext()):
        """The outputs of one call, each contiguous; forward() runs inside
        that context."""
        arguments = put_together(self.nesting, iter(leaves))
        seed_generators(seed)
        with inside:
            if isinstance(arguments, dict):
                result = model(**arguments)
            else:
                result = model(*arguments)
        outputs = []
        flatten_result(result, outputs, self.number)
        if not 1 <= len(outputs) <= OUTPUTS_MAX:
            raise Unsupported("forward() returned %d outputs" % len(outputs))
        state = {memory_of(tensor) for _, _, tensor in state_of(model)}
        return [own(output, state) for output in outputs]


def state_of(model):
    """Every tensor that a module holds, and where: (holder, name, tensor),
    also those that are neither parameters nor buffers."""
    for module in model.modules():
        for held in (module._parameters, module._buffers, vars(module)):
            for name, tensor in list(held.items()):
                if isinstance(tensor, torch.Tensor):
                    yield held, name, tensor


def memory_of(tensor):
    if hasattr(tensor, "untyped_storage"):
        return tensor.untyped_storage().data_ptr()
    return tensor.storage().data_ptr()


def own(output, state):
    """The output, safe from the module's next call."""
    if output.is_complex():
        raise Unsupported("an output is %s" % output.dtype)
    if memory_of(output) in state:
        output = output.clone()
    return output.detach().contiguous()


class Distribution:
    """Inputs as the problem states them, or with some of them changed."""

    def __init__(self, problem, changed=()):
        self.problem = problem
        self.changed = changed  # indices of leaves

    def draw(self, seed):
        _, leaves = self.problem.draw(seed)
        for i in self.changed:
            leaves[i] = torch.mul(leaves[i], 4).sub_(2)
        return leaves

    def run(self, seed=INPUTS, draws=DRAWS, **options):
        """Inputs are drawn for each call: it may write to them."""
        return self.problem.call(self.problem.model, self.draw(seed), draws,
                                 **options)


def within_unit(leaf):
    """A floating tensor that lies within [0, 1)."""
    if not isinstance(leaf, torch.Tensor) or not leaf.is_floating_point():
        return False
    return bool(leaf.numel() and leaf.min() >= 0 and leaf.max() < 1)


def signed(problem):
    _, leaves = problem.draw(INPUTS)
    changed = [i for i, leaf in enumerate(leaves) if within_unit(leaf)]
    return Distribution(problem, changed) if changed else None


# --- numbers about outputs -----------------------------------------------


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


# --- operations that can go ----------------------------------------------


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


def run_in_double(distribution):
    model = double_module(distribution.problem)
    leaves = distribution.draw(INPUTS)
    # One after the other, so that not all are there twice.
    leaves = [to_double(leaves.pop(0)) for _ in range(len(leaves))]
    with double_by_default():
        return distribution.problem.call(model, leaves, DRAWS)


def compare_with_double(distribution, base):
    """The errors of the outputs against the same module in float64."""
    outputs = run_in_double(distribution)
    for output, mine in zip(outputs, base.all):
        if (mine.tensor.is_floating_point()
                and output.dtype != torch.float64):
            raise Unsupported("an output stays %s in float64" % output.dtype)
    return {"outputs": [{
        "max_abs": decimal(c.largest),
        "max_scaled": decimal(c.scaled),
        "rms": decimal(c.rms),
    } for c in base.errors(outputs)]}


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
