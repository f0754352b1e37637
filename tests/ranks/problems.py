#!/usr/bin/env python3
"""problems.py N: each problem of problems/multi-gpu, at the sizes of small.json and
on N ranks with gloo, gives what one process computes of all ranks' inputs, by the
collective operation that suite.json states, if it states one. TAP on stdout.
"""

import contextlib
import inspect
import json
import os
import pathlib
import re
import sys
import tempfile
import traceback

HERE = pathlib.Path(__file__).resolve().parent
PROBLEMS = HERE.parents[1] / "problems" / "multi-gpu"
N = int(sys.argv[1])

try:
    import torch
    import torch.distributed as dist
    from torch.nn import functional as F
except ImportError:
    print("1..0 # SKIP there is no torch")
    sys.exit()


def load(key, sizes):
    level, number = key.split("/")
    path, = (PROBLEMS / ("level" + level)).glob(number + "_*.py")
    code = path.read_text()
    for name, value in sizes.items():
        code, count = re.subn(r"(?m)^%s = \d+$" % name,
                              "%s = %d" % (name, value), code)
        assert count == 1, (key, name)
    module = {}
    exec(compile(code, str(path), "exec"), module)
    return module


def call(function, rank):
    values = {"rank": rank, "world_size": N}
    wanted = inspect.signature(function).parameters
    return function(**{k: v for k, v in values.items() if k in wanted})


def gathered(x):
    parts = [torch.empty_like(x) for _ in range(N)]
    dist.all_gather(parts, x.contiguous())
    return parts


def whole(*shape):
    """A weight before it is sharded, as a Model draws it first."""
    torch.manual_seed(7)
    return torch.randn(*shape)


def attention(q, k, v):
    return torch.softmax(q @ k.transpose(1, 2) / q.shape[-1]**0.5, -1) @ v


def mlp(m):
    up = whole(m["WIDTH"], m["HIDDEN"])
    down = torch.randn(m["HIDDEN"], m["WIDTH"])
    return up / m["WIDTH"]**0.5, down / m["HIDDEN"]**0.5


def experts(m, x):
    width, hidden, count = m["WIDTH"], m["HIDDEN"], m["EXPERTS"]
    router = whole(width, count) / width**0.5
    up = torch.randn(count, width, hidden) / width**0.5
    down = torch.randn(count, hidden, width) / hidden**0.5
    gates, chosen = torch.softmax(x @ router, -1).max(-1)
    taken, rows = [0] * count, []
    for token, gate, i in zip(x, gates, chosen.tolist()):
        taken[i] += 1
        out = gate * (F.silu(token @ up[i]) @ down[i])
        rows.append(out * (taken[i] <= m["CAPACITY"]))
    return torch.stack(rows)


def adam(x, rank, gradients):
    mean = sum(gradients).chunk(N)[rank] / N
    first = 0.9 * x[2] + 0.1 * mean
    second = 0.999 * x[3] + 0.001 * mean**2
    return x[1] - 1e-3 * (first / 0.1) / ((second / 0.001).sqrt() + 1e-8)


def linear(m):
    return whole(m["WIDTH"], m["COLUMNS"]) / m["WIDTH"]**0.5


# By problem: from its module, the model, a rank, its inputs and all ranks'.
WANTED = {
    "1/1": lambda m, model, r, x, all: sum(all[0]),
    "1/2": lambda m, model, r, x, all: torch.cat(
        [t.chunk(N)[r] for t in all[0]]),
    "1/3": lambda m, model, r, x, all: (
        torch.cat(all[0]) @ linear(m).chunk(N, 1)[r]),
    "1/4": lambda m, model, r, x, all: torch.cat(all[0], 1) @ linear(m),
    "1/5": lambda m, model, r, x, all: (
        torch.cat(all[0], 1) @ linear(m)).chunk(N)[r],
    "1/6": lambda m, model, r, x, all: F.conv2d(
        torch.cat(all[0], 2), model.convolution.weight,
        model.convolution.bias, padding=1).chunk(N, 2)[r],
    "2/1": lambda m, model, r, x, all: (
        F.gelu(all[0][0] @ mlp(m)[0]) @ mlp(m)[1]),
    "2/2": lambda m, model, r, x, all: attention(
        *(torch.cat(t).transpose(0, 1) for t in all)
    ).transpose(0, 1).chunk(N)[r],
    "2/3": lambda m, model, r, x, all: attention(
        *(torch.cat(t, 1) for t in all)).chunk(N, 1)[r],
    "2/4": lambda m, model, r, x, all: experts(m, x[0]),
    "2/5": lambda m, model, r, x, all: torch.cat(
        gathered(adam(x, r, all[0]))),
    "2/6": lambda m, model, r, x, all: F.cross_entropy(
        torch.cat(all[0], 1), all[1][0], reduction="none"),
}

STATED = json.loads((PROBLEMS / "suite.json").read_text())["collectives"]
ELEMENTS = {"1/1": "ELEMENTS", "1/2": "ROWS * WIDTH", "1/3": "ROWS * WIDTH",
            "1/4": "ROWS * COLUMNS", "1/5": "ROWS * COLUMNS"}

# By function: the operation, and the elements of its larger tensor.
OPERATIONS = {
    "all_reduce": ("all_reduce", lambda x, *_: x.numel()),
    "broadcast": ("broadcast", lambda x, *_: x.numel()),
    "all_gather": ("all_gather",
                   lambda parts, _: sum(x.numel() for x in parts)),
    "reduce_scatter_tensor": ("reduce_scatter", lambda out, x: x.numel()),
    "all_to_all_single": ("all_to_all", lambda out, x, *_: x.numel()),
}


@contextlib.contextmanager
def recorded():
    """The calls that are made meanwhile."""
    calls, functions = [], {name: getattr(dist, name) for name in OPERATIONS}

    def recording(name):
        def function(*args):
            operation, count = OPERATIONS[name]
            calls.append({"operation": operation, "elements": count(*args)})
            return functions[name](*args)
        return function

    for name in functions:
        setattr(dist, name, recording(name))
    try:
        yield calls
    finally:
        for name, function in functions.items():
            setattr(dist, name, function)


def check_collective(key, module, calls):
    """What was called is what is stated, at the small sizes and at the real."""
    assert STATED.keys() == ELEMENTS.keys()
    if key not in STATED:
        return
    wanted = dict(STATED[key], elements=eval(ELEMENTS[key], dict(module)))
    assert calls == [wanted], (key, calls, wanted)
    real = eval(ELEMENTS[key], load(key, {}))
    assert real == STATED[key]["elements"], (key, real)


def compare(key, sizes, rank):
    """The largest difference of all ranks; None if gloo cannot."""
    m = load(key, sizes)
    torch.manual_seed(7)
    model = call(m["Model"], rank)
    torch.manual_seed(100 + rank)
    x = call(m["get_inputs"], rank)
    try:
        with recorded() as calls:
            got = model(*x)
    except RuntimeError as error:
        if "not support" not in str(error):
            raise
        return None
    finally:
        check_collective(key, m, calls)
    got = got[0] if isinstance(got, tuple) else got
    wanted = WANTED[key](m, model, rank, x, [gathered(t) for t in x])
    assert got.shape == wanted.shape, key
    worst = (got - wanted).abs().max()
    dist.all_reduce(worst, dist.ReduceOp.MAX)
    return worst.item()


def run(rank, path):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    dist.init_process_group("gloo", rank=rank, world_size=N,
                            store=dist.FileStore(path, N))
    all_sizes = json.loads((HERE / "small.json").read_text())
    bad = 0
    for i, (key, sizes) in enumerate(all_sizes.items(), 1):
        worst = compare(key, sizes, rank)
        said = "ok" if worst is None or worst < 1e-5 else "not ok"
        bad |= said != "ok"
        if not rank:
            print(said, i, "-", key, "# SKIP not with gloo" if worst is None
                  else "differs by %.1e at most" % worst, flush=True)
    os._exit(bad)


def main():
    print("1..%d" % len(WANTED), flush=True)
    with tempfile.TemporaryDirectory() as directory, torch.no_grad():
        path = os.path.join(directory, "ranks")
        pids = []
        for rank in range(N):
            pid = os.fork()
            if not pid:
                try:
                    run(rank, path)
                except Exception:
                    traceback.print_exc()
                finally:
                    os._exit(1)
            pids.append(pid)
        return max(os.waitpid(pid, 0)[1] != 0 for pid in pids)


if __name__ == "__main__":
    sys.exit(main())
