"""ParallelKernelBench's problems: a function solution(), and inputs that
create_input_tensor() of utils/input_output_tensors.py makes.

What create_input_tensor() returns is taken apart: its tensors are inputs of
Model, and all else (numbers, process groups, modules without their parameters) is
the same in every call, as its rules have it.
"""

import contextlib
import importlib

import torch
import torch.distributed as dist

from kb_torch_errors import Unsupported

# Shapes and numbers follow from the trial's remainders by these, and from nothing
# else but random numbers.
TRIAL_STEP = 3 * 4 * 7
TRIALS = 1 << 31


@contextlib.contextmanager
def groups_once(groups):
    """A group of the same ranks is made once."""
    make = dist.new_group

    def new_group(ranks=None, *args, **kwargs):
        key = None if ranks is None else tuple(ranks)
        if key not in groups:
            groups[key] = make(ranks, *args, **kwargs)
        return groups[key]

    dist.new_group = new_group
    try:
        yield
    finally:
        dist.new_group = make


def rebuild_module(module, leaves):
    """Its parameters are leaves; returns what puts them there."""
    places = []
    for part in module.modules():
        for name, parameter in part._parameters.items():
            if parameter is not None:
                places.append((part, name, parameter.requires_grad))
                leaves.append(parameter.detach())

    def build(given):
        for part, name, requires_grad in places:
            part._parameters[name] = torch.nn.Parameter(next(given),
                                                        requires_grad)
        return module

    return build


def sparse(indices, values, size):
    """Of parts of a coalesced tensor, which a device need not look at."""
    unsafe = getattr(torch, "_sparse_coo_tensor_unsafe", None)
    if unsafe:  # torch before 2.1
        return unsafe(indices, values, size)._coalesced_(True)
    return torch.sparse_coo_tensor(indices, values, size,
                                   check_invariants=False, is_coalesced=True)


def rebuild_tensor(tensor, leaves):
    if tensor.layout == torch.sparse_coo:
        leaves += [tensor._indices(), tensor._values()]
        size = tensor.shape
        return lambda given: sparse(next(given), next(given), size)
    if tensor.layout != torch.strided:
        raise Unsupported("an input is of layout %s" % tensor.layout)
    if tensor.is_complex():
        leaves.append(torch.view_as_real(tensor))
        return lambda given: torch.view_as_complex(next(given))
    leaves.append(tensor)
    return next


def rebuild(value, leaves, others):
    """A function that makes the value of an iterator of its tensors. These are
    appended to `leaves`, and all else that is in it to `others`."""
    if isinstance(value, torch.Tensor):
        return rebuild_tensor(value, leaves)
    if isinstance(value, torch.nn.Module):
        return rebuild_module(value, leaves)
    if type(value) in (list, tuple):
        parts = [rebuild(part, leaves, others) for part in value]
        kind = type(value)
        return lambda given: kind(part(given) for part in parts)
    if type(value) is dict:
        parts = {name: rebuild(part, leaves, others)
                 for name, part in value.items()}
        return lambda given: {name: part(given)
                              for name, part in parts.items()}
    others.append(value)
    return lambda given: value


def judged(value):
    """What can be compared of what solution() returned."""
    if isinstance(value, torch.Tensor):
        value = value.detach()
        if value.layout != torch.strided:
            value = value.to_dense()
        return torch.view_as_real(value) if value.is_complex() else value
    if isinstance(value, (list, tuple)):
        return [judged(part) for part in value]
    if isinstance(value, dict):
        return {str(name): judged(part) for name, part in value.items()}
    return value


class Rules:
    """How one problem is called, in one rank."""

    def __init__(self, problem, ranks, dtype, device):
        self.problem = problem
        self.ranks = ranks
        self.dtype = dtype
        self.device = device
        self.groups = {}
        rules = importlib.import_module("utils.input_output_tensors")
        self.create = rules.create_input_tensor
        self.leaf_count, self.others = 0, []
        self.build = self.learn()

    def arguments(self, trial, device):
        with groups_once(self.groups):
            return self.create(
                self.ranks.rank, self.ranks.count, self.problem.PROBLEM_ID,
                (self.problem.ROWS, self.problem.COLUMNS), self.dtype,
                trial=trial, device=device)

    def learn(self):
        """Without the numbers, where that is possible: they may be many."""
        try:
            arguments = self.arguments(0, torch.device("meta"))
        except (RuntimeError, NotImplementedError):
            arguments = self.arguments(0, self.device)
        leaves = []
        build = rebuild(arguments, leaves, self.others)
        self.leaf_count = len(leaves)
        return build

    def common_trial(self):
        """One that rank 0 draws for all: some inputs are parts of what every rank
        draws."""
        drawn = torch.randint(TRIALS, (1,)).to(self.device)
        dist.broadcast(drawn, 0)
        return TRIAL_STEP * drawn.item()

    def draw(self, trial):
        leaves, others = [], []
        rebuild(self.arguments(trial, self.device), leaves, others)
        if len(leaves) != self.leaf_count or others != self.others:
            raise Unsupported("what is no tensor in its inputs differs from "
                              "draw to draw")
        return leaves

    def model_of(self, solution):
        """A class whose instances can be copied: what cannot be is not theirs."""
        build = self.build

        class Model(torch.nn.Module):
            def forward(self, *leaves):
                with torch.enable_grad():
                    return judged(solution(*build(iter(leaves))))

        return Model
