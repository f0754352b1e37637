"""The numbers of inputs, which a problem does not choose."""

import contextlib
import functools

import torch

from kb_torch_calls import seed_generators
from kb_torch_library import Drawing


class Unrecordable(Exception):
    """A call cannot be made again without Python."""


class Draws:
    """torch.rand() and its kin, for the time that get_inputs() runs: the
    same shapes and types, the numbers of random/random.h. Draw 0 of a stream
    seeds all other generators, the calls of these functions are draw 1, 2
    and so on. Tensors are made where the worker computes, whatever device
    is asked for."""

    def __init__(self, library, worker):
        number = library.number
        self.lib = library
        self.worker = worker
        self.number = None  # of the stream
        self.draw = 0
        self.recorded = False
        uniform = (number("KB_DRAW_UNIFORM"), 0, 1)
        normal = (number("KB_DRAW_NORMAL"), 0, 1)
        self.integers = number("KB_DRAW_INTEGERS")
        self.originals = {name: getattr(torch, name) for name in (
            "rand", "rand_like", "randn", "randn_like", "randint",
            "randint_like")}
        self.ours = {
            "rand": self.floats("rand", torch.empty, uniform),
            "rand_like": self.floats("rand_like", torch.empty_like, uniform),
            "randn": self.floats("randn", torch.empty, normal),
            "randn_like": self.floats("randn_like", torch.empty_like, normal),
            "randint": self.randint("randint", torch.empty, 0),
            "randint_like": self.randint("randint_like", torch.empty_like, 1),
        }

    @contextlib.contextmanager
    def installed(self):
        """In place while a problem is loaded as well, so that a function
        that it imports by name is ours too."""
        for name, function in self.ours.items():
            setattr(torch, name, function)
        try:
            yield
        finally:
            for name, function in self.originals.items():
                setattr(torch, name, function)

    @contextlib.contextmanager
    def stream(self, number):
        self.number, self.draw = number, 0
        try:
            first = torch.empty((), dtype=torch.int64, device="cpu")
            self.fill(first, (self.integers, 0, 2**53))
            seed_generators(first.item())
            yield
        finally:
            self.number = None

    @contextlib.contextmanager
    def recording(self, call):
        """The same for a call that is recorded: its number in the recording
        stands in for that of a stream, and other generators stay as they
        are, because what they give cannot be made again."""
        self.number, self.draw, self.recorded = call, 1, True
        try:
            yield
        finally:
            self.number, self.recorded = None, False

    def fill(self, tensor, how):
        kind, low, high = how
        direct = tensor
        if kind == self.integers and tensor.is_floating_point():
            direct = torch.empty(tensor.shape, dtype=torch.int64,
                                 device=tensor.device)
        elif not tensor.is_contiguous():
            direct = torch.empty(tensor.shape, dtype=tensor.dtype,
                                 device=tensor.device)
        spec = self.worker.spec(direct.dtype, direct.shape)
        is_there = self.is_there(direct)
        if self.recorded and not is_there:
            raise Unrecordable("numbers are drawn on the CPU")
        draw = self.lib.draw_on_device if is_there else self.lib.draw
        if direct.numel():
            draw(direct.data_ptr(), spec,
                 Drawing(kind=kind, slot=self.number, draw=self.draw, low=low,
                         high=high))
        self.draw += 1
        if direct is not tensor:
            tensor.copy_(direct)
        return tensor

    @staticmethod
    def is_there(tensor):
        return tensor.is_cuda

    def options(self, name, kwargs):
        if kwargs.pop("generator", None) is not None:
            raise ValueError("torch.%s(generator=...) in get_inputs(): the "
                             "supervisor chooses the numbers" % name)
        kwargs.pop("device", None)
        kwargs.pop("pin_memory", None)
        return kwargs

    def floats(self, name, empty, how):
        original = getattr(torch, name)

        @functools.wraps(original)
        def draw(*args, **kwargs):
            if self.number is None:
                return original(*args, **kwargs)
            tensor = empty(*args, **self.options(name, kwargs))
            if tensor.dtype not in self.worker.dtype_numbers:
                return original(*args, **kwargs)  # complex numbers
            return self.fill(tensor, how)

        return draw

    def randint(self, name, empty, bounds_at):
        """The bounds are the integers from argument `bounds_at` on."""
        original = getattr(torch, name)

        @functools.wraps(original)
        def draw(*args, **kwargs):
            if self.number is None:
                return original(*args, **kwargs)
            kwargs = self.options(name, kwargs)
            rest, bounds = list(args), []
            while len(rest) > bounds_at and hasattr(rest[bounds_at],
                                                    "__index__"):
                bounds.append(int(rest.pop(bounds_at)))
            if "high" in kwargs:
                bounds.append(int(kwargs.pop("high")))
            low = int(kwargs.pop("low", 0 if len(bounds) < 2 else bounds[0]))
            if (empty is torch.empty and "out" not in kwargs
                    and kwargs.get("dtype") is None):
                kwargs["dtype"] = torch.int64
            return self.fill(empty(*rest, **kwargs),
                             (self.integers, low, bounds[-1]))

        return draw
