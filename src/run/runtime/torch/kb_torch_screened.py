"""The worker of a screen: a reference and then a candidate, in one process.

To open a device takes longer than most calls, and the driver opens it for one
process after the other. In a screen nothing is timed, and the candidate's word
counts against itself alone, so that it needs no process of its own.
"""

import builtins
import gc
import os
import sys
import warnings

import torch

from kb_torch_compiling import watched
from kb_torch_worker import Candidate, Reference

# Elements closer than that, in absolute terms and of the reference's, agree, if the
# root mean square of the difference is no larger part of the reference's than that, or
# than FAR for floats of more than 16 bits. TF32 rounds by some 2e-4 to 8e-4.
CLOSE = 1e-2
FAR = 2e-4

PATCHABLE = (builtins, torch, torch.nn, torch.nn.functional, torch.nn.init,
             torch.nn.Module, torch.Tensor)


def functions_of(place):
    """Those of a module, or of a class with its bases."""
    return {name: value for of in reversed(getattr(place, "__mro__", [place]))
            for name, value in vars(of).items()
            if callable(value) and not name.startswith("_")}


def precisions():
    """torch warns that there are newer ways to set them, and raises where code has
    used those."""
    matmul, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return (torch.get_float32_matmul_precision(), matmul.allow_tf32,
                    matmul.allow_fp16_reduced_precision_reduction,
                    cudnn.allow_tf32)
        except Exception as error:
            return str(error)


def settings():
    """What code may change for code that runs after it in the process, as far as can
    be seen. Lazy imports only add to it."""
    cudnn = torch.backends.cudnn
    facts = (torch.get_default_dtype(), torch.empty(0).device, precisions(),
             torch.are_deterministic_algorithms_enabled(),
             torch.is_grad_enabled(), torch.is_inference_mode_enabled(),
             torch.is_autocast_enabled(), torch.get_num_threads(),
             cudnn.enabled, cudnn.benchmark, cudnn.deterministic,
             dict(os.environ), os.getcwd(), list(sys.path))
    functions = {(place.__name__, name): value for place in PATCHABLE
                 for name, value in functions_of(place).items()}
    return facts, functions


def have_changed(before):
    facts, functions = settings()
    return facts != before[0] or any(
        functions.get(name) is not value for name, value in before[1].items())


def size_of(tensor):
    """Another type would be a copy of the whole."""
    wide = torch.float32 if tensor.element_size() < 4 else None
    return torch.linalg.vector_norm(tensor, dtype=wide)


def differ(one, other):
    """As far as torch can say, which has types that it does not compare. Two that
    agree where they are not finite are not told apart by their size."""
    far = FAR if other.element_size() > 2 else CLOSE
    try:
        return (not torch.allclose(one, other, CLOSE, CLOSE, equal_nan=True)
                or other.is_floating_point()
                and bool(size_of(one - other) > far * size_of(other)))
    except RuntimeError:
        return False


class Screened:
    def __init__(self, library, options, problem_path, candidate_path):
        self.lib = library
        self.reference = Reference(library, options, problem_path)
        self.candidate = Candidate(library, options, problem_path,
                                   candidate_path)
        self.before = None  # settings
        self.expected = []
        # What else there is to ask is for the supervisor not to ask.
        for name in ("map_pool", "map_slot", "generate", "run", "fp64_error",
                     "count_kernels"):
            setattr(self, name, self.refuse)

    def refuse(self, *_):
        raise self.candidate.refusal("CODE_COUNT", "a screen is asked to run")

    def is_reference(self):
        return self.lib.side() == self.lib.number("KB_SIDE_REFERENCE")

    def load(self):
        if self.is_reference():
            # The driver makes the contexts of a device one after the other, in
            # half the time with one queue of work each, and destroys them so.
            os.environ.setdefault("CUDA_DEVICE_MAX_CONNECTIONS", "1")
            self.reference.open()
            self.before = settings()
            self.reference.load_problem()
        else:
            self.candidate.take_code()

    def try_call(self):
        if self.is_reference():
            self.try_reference()
        else:
            self.try_candidate()
        self.reference.where.settle()

    def try_reference(self):
        """A candidate is to fail as alone, and cannot where it finds other
        settings. It has the memory of the reference's module."""
        self.expected = self.call(self.reference.model)
        if have_changed(self.before):
            raise self.candidate.refusal(
                "UNSUPPORTED", "the reference changes settings of its process")
        self.reference.model = self.reference.state = None
        gc.collect()
        self.reference.where.spoil()

    def try_candidate(self):
        candidate = self.candidate
        if candidate.state:
            candidate.state.put_back()
        with watched(self.lib.compiling):
            got = self.call(candidate.model)
        candidate.check_fit(got, self.expected, "output")
        for i, (one, other) in enumerate(zip(got, self.expected)):
            if differ(one, other):
                raise candidate.refusal("DIFFERS", "output %d differs" % i)

    def call(self, model):
        """On inputs that are drawn anew, each a plain tensor, as in a slot."""
        leaves = [torch.empty_like(leaf).copy_(leaf)
                  if isinstance(leaf, torch.Tensor) else leaf
                  for leaf in self.reference.draw_inputs(0)[1]]
        return self.reference.call_once(model, leaves)
