"""A problem's or a candidate's code: how torch is set up for it, how it is loaded,
and what goes into a call and comes out of it.
"""

import importlib.util
import math
import os
import random
import sys
import warnings

import torch

from kb_torch_errors import Unsupported


# Of torch's generators: of a process without a device, the CPU's. A device that
# is not there yet would cost a traceback each time.
seed_torch = torch.manual_seed


def configure(options):
    """Which of the ways to compute a thing torch may take."""
    global seed_torch
    if options.deterministic == "on":
        os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
        torch.use_deterministic_algorithms(True, warn_only=True)
        torch.backends.cudnn.deterministic = True
    seed_torch = (torch.manual_seed if options.cuda else
                  torch.default_generator.manual_seed)
    if not options.cuda:
        return
    torch.backends.cudnn.benchmark = False
    if options.tf32 == "torch":
        return  # as torch itself has it
    on = options.tf32 == "on"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is a newer way
        torch.set_float32_matmul_precision("high" if on else "highest")
        torch.backends.cuda.matmul.allow_tf32 = on
        torch.backends.cudnn.allow_tf32 = on


def sorted_items(mapping):
    return sorted(mapping.items(), key=lambda item: str(item[0]))


def take_apart(value, leaves):
    """Append the tensors and numbers in `value` to `leaves`; return how
    they nest, as something that JSON can carry."""
    if isinstance(value, (torch.Tensor, bool, int, float)):
        leaves.append(value)
        return 0
    if value is None:
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        kind = "list" if isinstance(value, list) else "tuple"
        return [kind] + [take_apart(v, leaves) for v in value]
    if isinstance(value, dict) and all(isinstance(k, (str, int))
                                       for k in value):
        return ["dict"] + [[k, take_apart(v, leaves)]
                           for k, v in sorted_items(value)]
    raise Unsupported("a call cannot take a %s" % type(value).__name__)


def put_together(nesting, leaves):
    """The inverse, from an iterator."""
    if nesting == 0:
        return next(leaves)
    if not isinstance(nesting, list):
        return nesting
    kind, *parts = nesting
    if kind == "dict":
        return {k: put_together(v, leaves) for k, v in parts}
    values = [put_together(v, leaves) for v in parts]
    return values if kind == "list" else tuple(values)


def flatten_result(value, flat, number):
    """Append the tensors in what forward() returned to `flat`, in the order
    of take_apart(). `number` makes a tensor of a number and a type."""
    if isinstance(value, torch.Tensor):
        flat.append(value)
    elif isinstance(value, (bool, int, float)):
        flat.append(number(value, number_dtype(value)))
    elif isinstance(value, (list, tuple)):
        for v in value:
            flatten_result(v, flat, number)
    elif isinstance(value, dict):
        for _, v in sorted_items(value):
            flatten_result(v, flat, number)
    elif value is not None:
        raise TypeError("forward() returned a %s" % type(value).__name__)


def number_dtype(value):
    if isinstance(value, bool):
        return torch.bool
    return torch.int64 if isinstance(value, int) else torch.float64


def tensor_bytes(dtype, shape):
    return math.prod(shape) * torch.empty(0, dtype=dtype).element_size()


def seed_generators(value):
    """Every generator that code might use and that we can reach."""
    seed_torch(value)
    random.seed(value)
    numpy = sys.modules.get("numpy")
    if numpy:
        numpy.random.seed(value % 2**32)


def generator_states():
    """Of those that a value can seed and that are not the device's."""
    numpy = sys.modules.get("numpy")
    if numpy:
        kind, keys, *rest = numpy.random.get_state()
        numpy = kind, keys.tobytes(), rest
    return (random.getstate(), bytes(torch.get_rng_state().tolist()), numpy)


def import_file(name, path, seed):
    """A module, of which chance at its top level is the same for reference
    and candidate."""
    seed_generators(seed)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # inspect and triton look for it here
    spec.loader.exec_module(module)
    return module


def candidate_class(module, conventions):
    """KernelBench v3 calls it as the reference's is called."""
    if conventions == "v3" and not hasattr(module, "ModelNew"):
        return module.Model
    return module.ModelNew


def enter_mode(model, conventions):
    """Before it is called. KernelBench leaves modules in training mode."""
    return model.eval() if conventions == "v3" else model


def arguments_of(init_inputs):
    """By position, and by name, of what get_init_inputs() returned. A list of a
    list and a dictionary is both at once, as KernelBook has it; a tuple of
    such is two arguments."""
    if isinstance(init_inputs, dict):
        return [], init_inputs
    if (isinstance(init_inputs, list)
            and [type(part) for part in init_inputs] == [list, dict]
            and all(isinstance(name, str) for name in init_inputs[1])):
        return init_inputs
    return init_inputs, {}


def construct(model_class, problem, seed, named=lambda function: {}):
    """An instance, with the arguments that the problem says, and those that are
    `named` of a function's parameters."""
    get_init_inputs = getattr(problem, "get_init_inputs", list)
    seed_generators(seed)
    by_position, by_name = arguments_of(
        get_init_inputs(**named(get_init_inputs)))
    seed_generators(seed)
    return model_class(*by_position, **{**named(model_class), **by_name})
