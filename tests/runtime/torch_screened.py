"""torch_screened.py LIBEXEC: what a worker of a screen sees of what its reference has
done to their process, and of outputs. TAP on stdout."""

import builtins
import importlib
import os
import sys
import types

from torch_rig import need, run_tests

need("torch")
import torch

from kb_torch_screened import Screened, differ, have_changed, settings

cudnn = torch.backends.cudnn
matmul = torch.backends.cuda.matmul

# A change, and what takes it back.
CHANGES = [
    (lambda: torch.set_default_dtype(torch.float64),
     lambda: torch.set_default_dtype(torch.float32)),
    (lambda: torch.use_deterministic_algorithms(True),
     lambda: torch.use_deterministic_algorithms(False)),
    (lambda: torch.set_grad_enabled(not torch.is_grad_enabled()),) * 2,
    (lambda: torch.set_num_threads(torch.get_num_threads() + 1),
     lambda: torch.set_num_threads(torch.get_num_threads() - 1)),
    (lambda: torch.set_float32_matmul_precision("medium"),
     lambda: torch.set_float32_matmul_precision("highest")),
    (lambda: setattr(cudnn, "benchmark", not cudnn.benchmark),) * 2,
    (lambda: setattr(cudnn, "allow_tf32", not cudnn.allow_tf32),) * 2,
    (lambda: os.environ.update(NEW="1"), lambda: os.environ.pop("NEW")),
    (lambda: os.chdir(".."), lambda: os.chdir(HERE)),
    (lambda: sys.path.append("/new"), lambda: sys.path.remove("/new")),
]
PLACES = [(torch, "relu"), (torch, "rand"), (torch.nn, "Linear"),
          (torch.nn.functional, "conv2d"), (torch.nn.init, "normal_"),
          (torch.Tensor, "add"), (torch.nn.Module, "to"), (builtins, "sum")]
HERE = os.getcwd()


def test_changes_are_seen():
    for change, back in CHANGES:
        before = settings()
        assert not have_changed(before)
        change()
        seen = have_changed(before)
        back()
        assert seen and not have_changed(before), CHANGES.index((change, back))


def test_functions_that_are_replaced_or_gone_are_seen():
    for place, name in PLACES:
        before, was = settings(), getattr(place, name)
        setattr(place, name, lambda *_: None)
        seen = have_changed(before)
        setattr(place, name, was)
        assert seen and not have_changed(before), name
    before, was = settings(), torch.sigmoid
    del torch.sigmoid
    seen = have_changed(before)
    torch.sigmoid = was
    assert seen


def test_what_ends_with_a_call_is_no_change():
    before = settings()
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        torch.nn.Linear(2, 2)(torch.rand(2, 2))
    torch.manual_seed(1)
    importlib.import_module("torch.utils.checkpoint")
    torch.nn.functional.not_there = torch.Tensor.not_there = len
    assert not have_changed(before)


def test_outputs():
    a = torch.tensor([1., float("nan"), float("inf")])
    rows = [(a, a.clone(), False), (a, -a, True), (a, a * 1.005, False),
            (a, torch.tensor([1.1, float("nan"), float("inf")]), True),
            (torch.ones(9), torch.ones(9) * 1.002, True),
            (torch.ones(9), torch.ones(9) * 1.0001, False),
            (torch.ones(9), torch.ones(9) * 1.0003, True),
            (torch.ones(9).double(), torch.ones(9).double() * 1.002, True),
            (torch.zeros(9).half(), torch.zeros(9).half(), False),
            (torch.full([9], 2.).half(), torch.full([9], 2.004).half(), False),
            (torch.full([9], 2.).half(), torch.full([9], 2.029).half(), True),
            (torch.tensor([1, 2]), torch.tensor([1, 2]), False),
            (torch.tensor([1, 2]), torch.tensor([1, 3]), True),
            (torch.tensor([True]), torch.tensor([True]), False)]
    for one, other, wanted in rows:
        assert differ(one, other) == wanted, (one, other)


class Opened(Exception):
    pass


def connections_while_it_opens():
    """As a screened worker has them."""
    seen = []

    def is_opened():
        seen.append(os.environ.get("CUDA_DEVICE_MAX_CONNECTIONS"))
        raise Opened

    worker = Screened.__new__(Screened)
    worker.is_reference = lambda: True
    worker.reference = types.SimpleNamespace(open=is_opened)
    try:
        worker.load()
    except Opened:
        os.environ.pop("CUDA_DEVICE_MAX_CONNECTIONS")
    return seen


def test_device_is_opened_with_one_queue_unless_the_user_says_how_many():
    assert connections_while_it_opens() == ["1"]
    os.environ["CUDA_DEVICE_MAX_CONNECTIONS"] = "8"
    assert connections_while_it_opens() == ["8"]


sys.exit(run_tests(globals()))
