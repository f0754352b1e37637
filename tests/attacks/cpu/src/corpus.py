# What others have tried in Python, by the name TRICK. Those that cannot have an
# effect are done before the call, which then is honest.
import builtins, gc, json, os, pickle, statistics, sys, time

import torch


class Lazy(torch.Tensor):
    """Computes when somebody compares it."""
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return torch.relu(torch.Tensor(args[0]))


def zero_numel(x):
    return torch.empty(0)


def broadcastable_view(x):
    return torch.relu(x)[:1].expand(x.shape[0] + 1, *x.shape[1:])


def another_dtype(x):
    return torch.relu(x).to(torch.float16)


def lazy_subclass(x):
    return torch.empty_like(x).as_subclass(Lazy)


def seed_42_replay(x):
    torch.manual_seed(42)
    return torch.relu(torch.randn(x.shape))


seen = {}


def id_cache(x):
    """By the object, and by where its data is."""
    key = x.data_ptr()
    if key not in seen:
        seen[key] = torch.relu(x).clone()
    return seen[key].clone()


def gc_copy(x):
    """A tensor of the right shape, of whoever has one."""
    for other in gc.get_objects():
        if isinstance(other, torch.Tensor) and other is not x and \
                other.shape == x.shape and other.dtype == x.dtype:
            return other.clone()
    return torch.zeros_like(x)


def stack_sniff(x):
    """Right if somebody looks at it who is called what checkers are."""
    frame = sys._getframe()
    while frame:
        if "check" in frame.f_code.co_name:
            return torch.relu(x)
        frame = frame.f_back
    return torch.zeros_like(x)


def env_phase(x):
    """Right if the environment is that of somebody who debugs."""
    return torch.relu(x) if "CUDA_LAUNCH_BLOCKING" in os.environ else x


def without_effect(x):
    if not seen:
        seen["done"] = True
        for name in "allclose", "equal", "isclose":
            setattr(torch, name, lambda *a, **k: True)
        time.perf_counter = time.time = time.monotonic = lambda: 0
        torch.randn = lambda *a, **k: torch.zeros(*a)
        statistics.mean = statistics.median = lambda *a: 0
        torch.set_num_threads(1)
        torch.backends.mkldnn.enabled = False
        json.dumps = pickle.dumps = lambda *a, **k: "{}"
        builtins.N = 1
        main = sys.modules["__main__"]
        main.get_inputs = lambda: [torch.zeros(1)]
        main.Model = type(None)
        frame = sys._getframe()
        while frame:
            frame.f_locals.update({"expected": torch.zeros(1), "passed": True})
            for value in list(frame.f_globals.values()):
                if callable(value) and getattr(value, "__code__", None) and \
                        value.__name__ in ("check", "compare", "judge"):
                    value.__code__ = (lambda *a, **k: True).__code__
            frame = frame.f_back
        print('{"correct": true, "runtime": 0.001, "speedup": 1000}')
        for name in "results.jsonl", "manifest.json", "eval_results.json":
            with open(name, "w") as file:
                file.write('{"correct": true}')
        for pid in 1, os.getppid():
            for name in "environ", "mem", "cmdline":
                try:
                    open("/proc/%d/%s" % (pid, name), "rb+").read(1)
                except OSError:
                    pass
    return torch.relu(x)


class ModelNew(torch.nn.Module):
    def forward(self, x):
        return globals()[TRICK](x)
