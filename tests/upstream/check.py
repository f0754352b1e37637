#!/usr/bin/env python3
"""
Compares kb's statements of the KernelBench problems with KernelBench's own files.

Both files of a problem are loaded, their init inputs and inputs compared, and both models run with
the same weights on the same inputs.  The report is TAP; the exit status is 1 if a line is not ok.

On a CUDA device the problems run at full size.  On the CPU only shapes are compared at full size;
the models run at the sizes that reduced.json gives.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import gc
import importlib.util
import itertools
import json
import multiprocessing
import os
import re
import sys

# Level 4 asks the hub for a configuration on import: use what is cached, and do not wait for more.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
# Without a workspace of fixed size cuBLAS may choose another algorithm for the same product.
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
sys.dont_write_bytecode = True  # the checkout may be read-only, and is not ours to litter

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
LEVELS = {1: 100, 2: 100, 3: 50, 4: 20}  # problems of each level
HUB_LEVEL = 4  # its models come from a hub, so only what the file states is compared
SEED = 20250101
TOLERANCE = 1e-6
CHUNK = 1 << 26  # elements of an output compared at a time
SMALL = 1 << 24  # elements of inputs that are worth drawing on the CPU to compare their values
BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}

Problem = collections.namedtuple("Problem", "level number name")
# kind is one of KINDS; comments are lines for the reader, which decide nothing.
Result = collections.namedtuple("Result", "problem kind text comments")
KINDS = {
    "equal": "equal",
    "within": "within %g" % TOLERANCE,
    "wrong": "not ok",
    "skipped": "not run",
    "stated": "by name only",
}
# theirs and ours are folders of levels; reduced is reduced.json's content, or empty at full size.
Settings = collections.namedtuple("Settings", "theirs ours device reduced jobs")


class Wrong(Exception):
    """Our file differs from upstream's."""


class CannotRun(Exception):
    """Upstream's file does not run here, so there is nothing to compare ours with."""


def one_line(error):
    lines = str(error).strip().splitlines() or [""]
    # TAP reads a '#' in a description as a directive.
    return "{}: {}".format(type(error).__name__, lines[0].strip()).replace("#", "no. ")[:200]


def is_shortage(error):
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError)
        and re.search("out of memory|can't allocate memory", str(error)) is not None
    )


@contextlib.contextmanager
def running(side, what):
    """
    Says whose code failed.  A failure excuses the problem where memory is short, and upstream's
    also where this machine lacks something that the file wants: a package, the hub, an operator of
    a newer torch.
    """
    try:
        yield
    except Exception as error:
        reason = "%s, %s: %s" % (side, what, one_line(error))
        missing = what == "import" or isinstance(error, (AttributeError, ImportError, OSError))
        if is_shortage(error) or (side == "upstream" and missing):
            raise CannotRun(reason) from None
        raise Wrong(reason) from None


# Files


def file_names(folder, level):
    path = os.path.join(folder, "level%d" % level)
    if not os.path.isdir(path):
        return set()
    return {name for name in os.listdir(path) if re.fullmatch(r"\d+_.*\.py", name)}


def find_problems(settings, wanted):
    """Problems that either side has, in order."""
    found = []
    for level in LEVELS:
        for name in file_names(settings.theirs, level) | file_names(settings.ours, level):
            found.append(Problem(level, int(name.split("_")[0]), name))
    return sorted(problem for problem in found if wanted(problem))


def parse_wanted(text):
    """The predicate on problems that --problems states, such as 1/1-50,2/,3/7."""
    ranges = []
    for part in text.split(","):
        match = re.fullmatch(r"(\d+)/(?:(\d+)(?:-(\d+))?)?", part.strip())
        if not match:
            raise argparse.ArgumentTypeError("cannot read '%s'" % part)
        level, first, last = (group and int(group) for group in match.groups())
        ranges.append((level, first or 0, last or first or sys.maxsize))
    return lambda p: any(level == p.level and a <= p.number <= b for level, a, b in ranges)


def load(folder, problem, side):
    path = os.path.join(folder, "level%d" % problem.level, problem.name)
    if not os.path.exists(path):
        raise Wrong("%s has no file %s" % (side, problem.name))
    # Both files have one name, so each is loaded under an alias of its own.
    spec = importlib.util.spec_from_file_location("problem_" + side, path)
    module = importlib.util.module_from_spec(spec)
    with running(side, "import"):
        spec.loader.exec_module(module)
    return module


def load_both(problem, settings):
    theirs = load(settings.theirs, problem, "upstream")
    return theirs, load(settings.ours, problem, "ours")


def reduce_sizes(theirs, ours, sizes):
    """
    Sets module-level sizes.  Ours is built with upstream's init inputs and runs on upstream's
    inputs, so it needs sizes of its own only where its code reads names of its module.
    """
    if "upstream" not in sizes:
        sizes = {"upstream": sizes}
    for side, module in ("upstream", theirs), ("ours", ours):
        for name, value in sizes.get(side, {}).items():
            if not hasattr(module, name):
                raise Wrong("reduced.json: %s has no %s" % (side, name))
            # JSON has no tuples.
            setattr(module, name, type(getattr(module, name))(value))


# Creating tensors elsewhere than on the CPU


@contextlib.contextmanager
def redirected_factories(device):
    """What torch >= 2 does in a torch.device context, for the factories that the files use."""
    names = "arange empty eye full linspace ones rand randint randn randperm tensor zeros".split()
    saved = {name: getattr(torch, name) for name in names}

    def redirect(factory):
        def create(*args, **options):
            options.setdefault("device", device)
            return factory(*args, **options)

        return create

    for name in names:
        setattr(torch, name, redirect(saved[name]))
    try:
        yield
    finally:
        for name in names:
            setattr(torch, name, saved[name])


def factories_on(device):
    if device == "cpu":
        return contextlib.nullcontext()
    if hasattr(torch.device, "__enter__"):
        return torch.device(device)
    return redirected_factories(device)


def create(function, device, *args):
    torch.manual_seed(SEED)
    with factories_on(device):
        return function(*args)


# Nested arguments and outputs


def is_sequence(value):
    return isinstance(value, (list, tuple))


def tensors_of(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [t for v in value for t in tensors_of(v)] if is_sequence(value) else []


def mapped(function, value):
    """value with function applied to its tensors."""
    if isinstance(value, torch.Tensor):
        return function(value)
    return type(value)(mapped(function, v) for v in value) if is_sequence(value) else value


def describe(value):
    if isinstance(value, torch.Tensor):
        return "%s%s" % (str(value.dtype).replace("torch.", ""), list(value.shape))
    if is_sequence(value):
        inner = ", ".join(map(describe, value))
        return ("[%s]" if isinstance(value, list) else "(%s)") % inner
    return getattr(value, "__name__", repr(value))


def alike(a, b):
    """Equal values of equal types, but of tensors only shape and dtype."""
    if type(a) is not type(b):
        return False
    if isinstance(a, torch.Tensor):
        return a.shape == b.shape and a.dtype == b.dtype
    if is_sequence(a):
        return len(a) == len(b) and all(map(alike, a, b))
    return a == b


def unlike(what, theirs, ours):
    """The findings on one value of both sides: none or one."""
    if alike(theirs, ours):
        return []
    return ["%s: upstream %s, ours %s" % (what, describe(theirs), describe(ours))]


# Values


def same_bits(a, b):
    bits = BITS[a.element_size()]
    return torch.equal(a.contiguous().view(bits), b.contiguous().view(bits))


def all_same_bits(a, b):
    return all(map(same_bits, tensors_of(a), tensors_of(b)))


def chunk_differences(a, b):
    """max|a - b| and max|a| of two chunks, over what is a number."""
    a, b = a.double(), b.double()
    if not torch.equal(a.isnan(), b.isnan()):
        raise Wrong("NaN at different places")
    # Infinities of one sign are equal, though their difference is none.
    gap = (a - b).abs().masked_fill_((a == b) | a.isnan(), 0)
    return gap.max().item(), a.abs().masked_fill_(~a.isfinite(), 0).max().item()


def difference(a, b):
    """None where a and b are the same bit by bit, otherwise max|a - b| / max|a|."""
    # Outputs may fill a good part of the device, so nothing of their size is made here.
    chunks = list(zip(a.reshape(-1).split(CHUNK), b.reshape(-1).split(CHUNK)))
    if all(same_bits(x, y) for x, y in chunks):
        return None
    gaps, sizes = zip(*(chunk_differences(x, y) for x, y in chunks))
    if max(gaps) == 0:
        return 0.0
    return max(gaps) / max(sizes) if max(sizes) > 0 else float("inf")


def compare_outputs(theirs, ours):
    """The kind and text of a verdict."""
    findings = unlike("output", theirs, ours)
    if findings:
        raise Wrong(findings[0])
    ratios = [difference(a, b) for a, b in zip(tensors_of(theirs), tensors_of(ours))]
    if all(ratio is None for ratio in ratios):
        return "equal", "equal"
    worst = max(ratio for ratio in ratios if ratio is not None)
    text = "largest difference %.1e" % worst
    if worst > TOLERANCE:
        raise Wrong(text)
    return "within", text


# The checks of one problem


def compare_init_inputs(theirs, ours):
    with running("upstream", "get_init_inputs"):
        a = theirs.get_init_inputs()
    with running("ours", "get_init_inputs"):
        b = ours.get_init_inputs()
    return unlike("init inputs", a, b)


def inputs_of_both(theirs, ours, device):
    with running("upstream", "get_inputs"):
        a = create(theirs.get_inputs, device)
    with running("ours", "get_inputs"):
        b = create(ours.get_inputs, device)
    return a, b


def compare_inputs(theirs, ours, device, comments):
    """Shapes at full size; values too where they can be drawn."""
    a, b = inputs_of_both(theirs, ours, "meta")
    findings = unlike("inputs", a, b)
    elements = sum(t.numel() for t in tensors_of(a))
    if not findings and (device != "cpu" or elements <= SMALL):
        if not all_same_bits(*inputs_of_both(theirs, ours, device)):
            comments.append("inputs of one seed differ")
    return findings


def compare_states(theirs, ours):
    findings = []
    for key in itertools.chain(theirs, (key for key in ours if key not in theirs)):
        a, b = theirs.get(key, "nothing"), ours.get(key, "nothing")
        findings += unlike("state_dict %s" % key, a, b)
    if len(findings) > 4:
        findings[4:] = ["%d more of state_dict" % (len(findings) - 4)]
    if findings:
        raise Wrong("; ".join(findings))


def build_both(theirs, ours, device, comments):
    """Both models with upstream's weights."""
    with running("upstream", "get_init_inputs"):
        args = theirs.get_init_inputs()
    with running("upstream", "Model()"):
        a = create(theirs.Model, device, *args).to(device)
    with running("ours", "Model() with upstream's init inputs"):
        b = create(ours.Model, device, *args).to(device)
    state = a.state_dict()
    compare_states(state, b.state_dict())
    if not all(same_bits(value, b.state_dict()[key]) for key, value in state.items()):
        comments.append("fresh weights of one seed differ")
    b.load_state_dict(state)
    return a, b


def run_model(side, model, inputs):
    torch.manual_seed(SEED)
    with running(side, "forward"), torch.no_grad():
        return model(*inputs)


def compare_models(theirs, ours, device, comments):
    a, b = build_both(theirs, ours, device, comments)
    with running("upstream", "get_inputs"):
        inputs = mapped(lambda t: t.to(device), create(theirs.get_inputs, device))
        # forward may work in place.
        copy = mapped(torch.Tensor.clone, inputs)
    expected = run_model("upstream", a, copy)
    del a, copy
    return compare_outputs(expected, run_model("ours", b, inputs))


def compare_statements(problem, settings, comments):
    """Level 4: what can be said of a file without its model."""
    theirs, ours = load_both(problem, settings)
    findings = compare_inputs(theirs, ours, settings.device, comments)
    if findings:
        raise Wrong("; ".join(findings))
    return "stated", "name and inputs only"


def compare_problem(problem, settings, comments):
    theirs, ours = load_both(problem, settings)
    findings = compare_init_inputs(theirs, ours)
    findings += compare_inputs(theirs, ours, settings.device, comments)
    key = "%d/%d" % (problem.level, problem.number)
    try:
        reduce_sizes(theirs, ours, settings.reduced.get(key, {}))
        kind, text = compare_models(theirs, ours, settings.device, comments)
    except (Wrong, CannotRun) as error:
        if not findings:
            raise
        text = str(error)
    if findings:
        raise Wrong("; ".join(findings + ["values: " + text]))
    return kind, text


def release_memory():
    gc.collect()
    if torch.cuda.is_initialized():
        torch.cuda.empty_cache()


def check_problem(problem, settings):
    comments = []
    try:
        if problem.level == HUB_LEVEL:
            kind, text = compare_statements(problem, settings, comments)
        else:
            kind, text = compare_problem(problem, settings, comments)
    except CannotRun as error:
        if problem.level == HUB_LEVEL:
            kind, text = "stated", "name only: %s" % error
        else:
            kind, text = "skipped", str(error)
    except Wrong as error:
        kind, text = "wrong", str(error)
    except Exception as error:
        kind, text = "wrong", "in check.py: " + one_line(error)
    release_memory()
    return Result(problem, kind, text, comments)


def check_names(level, settings):
    """Why the two folders of a level do not hold the same files, or nothing."""
    theirs, ours = (file_names(folder, level) for folder in (settings.theirs, settings.ours))
    if theirs != ours:
        return "on one side only: %s" % ", ".join(sorted(theirs ^ ours))
    if len(theirs) != LEVELS[level]:
        return "%d files, expected %d" % (len(theirs), LEVELS[level])
    return None


# The run and its report


def say(line):
    print(line, flush=True)


def prepare_torch(settings):
    if settings.jobs > 1:
        torch.set_num_threads(max(1, (os.cpu_count() or 1) // settings.jobs))
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.deterministic = True


def results_of(problems, settings):
    """Results in order, as they come."""
    if settings.jobs == 1:
        yield from (check_problem(problem, settings) for problem in problems)
        return
    # A forked process could not use CUDA once its parent did.
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(
        settings.jobs, context, prepare_torch, (settings,)
    ) as pool:
        yield from pool.map(check_problem, problems, itertools.repeat(settings))


def report_result(number, result):
    mark = "not ok" if result.kind == "wrong" else "ok"
    key = "%d/%d" % (result.problem.level, result.problem.number)
    skip = "# SKIP " if result.kind == "skipped" else ""
    say("%s %d - %s %s%s" % (mark, number, key, skip, result.text))
    for comment in result.comments:
        say("# %s: %s" % (key, comment))


def report_summary(results):
    kinds = collections.Counter(result.kind for result in results)
    counts = ["%d %s" % (kinds[kind], words) for kind, words in KINDS.items()]
    say("# %d problems: %s" % (len(results), ", ".join(counts)))
    for result in results:
        if result.kind == "skipped":
            say("# not run: %d/%d: %s" % (result.problem.level, result.problem.number, result.text))


def report(settings, problems):
    """Prints the report; true if every line is ok."""
    reasons = [check_names(level, settings) for level in LEVELS]
    for number, (level, reason) in enumerate(zip(LEVELS, reasons), 1):
        mark = "not ok" if reason else "ok"
        say("%s %d - level %d: %s" % (mark, number, level, reason or "the same file names"))
    results = []
    for result in results_of(problems, settings):
        results.append(result)
        report_result(len(LEVELS) + len(results), result)
    report_summary(results)
    say("1..%d" % (len(LEVELS) + len(results)))
    return not any(reasons) and not any(result.kind == "wrong" for result in results)


def parse_arguments():
    parser = argparse.ArgumentParser(description="Compare our KernelBench problems to upstream's.")
    add = parser.add_argument
    add("checkout", help="a checkout of KernelBench")
    add("--device", default="cpu", help="cpu or cuda:0")
    add("--problems", default=",".join("%d/" % level for level in LEVELS), type=parse_wanted,
        metavar="LIST", help="such as 1/1-50,2/,3/7; all unless told")
    add("--ours", default=os.path.join(HERE, "..", "..", "problems", "kernelbench"), metavar="DIR")
    add("--reduced", default=os.path.join(HERE, "reduced.json"), metavar="FILE",
        help="sizes to run with on the CPU")
    add("--jobs", default=1, type=int, metavar="N", help="processes to share the problems among")
    arguments = parser.parse_args()
    if not os.path.isdir(os.path.join(arguments.checkout, "KernelBench")):
        parser.error("no checkout of KernelBench: %s" % arguments.checkout)
    return arguments


def main():
    arguments = parse_arguments()
    reduced = {}
    if arguments.device == "cpu":
        with open(arguments.reduced) as file:
            reduced = json.load(file)
    theirs = os.path.join(arguments.checkout, "KernelBench")
    settings = Settings(theirs, arguments.ours, arguments.device, reduced, arguments.jobs)
    problems = find_problems(settings, arguments.problems)
    if not problems:
        sys.exit("check.py: --problems names no problem")
    prepare_torch(settings)
    return 0 if report(settings, problems) else 1


if __name__ == "__main__":
    sys.exit(main())
