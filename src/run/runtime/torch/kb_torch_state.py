"""What a module keeps from call to call, and how it is put back.

Names are those of parameters and buffers in a state_dict(), and of other
attributes in the same way. What can be put back is tensors, numbers, texts, None, and
lists, tuples, dictionaries, sets and deques of these.
"""

import collections
import copy

import torch

from kb_torch_errors import is_memory_error

# What torch itself keeps in every module, such as hooks.
TORCHS_OWN = frozenset(vars(torch.nn.Module()))

CONTAINERS = (list, tuple, set, collections.deque)


def is_plain(value):
    if isinstance(value, torch.nn.parameter.UninitializedTensorMixin):
        return False
    if isinstance(value, dict):
        return all(map(is_plain, value.values()))
    if isinstance(value, CONTAINERS):
        return all(map(is_plain, value))
    return value is None or isinstance(value, (torch.Tensor, bool, int, float,
                                               complex, str, bytes))


def places(model):
    """By name: the dictionary that has it, and its key there."""
    found = {}
    for prefix, module in model.named_modules():
        prefix += "." if prefix else ""
        own = [key for key in vars(module) if key not in TORCHS_OWN]
        for held, keys in ((module._parameters, module._parameters),
                           (module._buffers, module._buffers),
                           (vars(module), own)):
            for key in keys:
                if is_plain(held[key]):
                    found[prefix + key] = held, key
    return found


def same_tensor(a, b):
    if a.shape != b.shape or a.dtype != b.dtype or a.layout != b.layout:
        return False
    try:
        return torch.equal(a, b)
    except RuntimeError:  # of types that torch compares only in part
        return False


def same(a, b):
    """NaN differs from itself, which only means that more is put back."""
    if isinstance(a, torch.Tensor) or isinstance(b, torch.Tensor):
        return (isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)
                and same_tensor(a, b))
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return (list(a) == list(b)
                and all(same(a[key], b[key]) for key in a))
    if isinstance(a, CONTAINERS) and not isinstance(a, set):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def is_writable(tensor):
    """Not one that was made in inference mode, nor one with elements in the same
    place, such as an expanded one, to which no call can write either."""
    if tensor.is_inference():
        return False
    return tensor.layout != torch.strided or all(
        stride or n < 2 for stride, n in zip(tensor.stride(), tensor.shape))


def version_of(value):
    """How often a tensor was written to; None where torch does not count."""
    if isinstance(value, torch.Tensor) and not value.is_inference():
        return value._version
    return None


class Kept:
    """One thing as it was. Parameters, which no call changes, as a rule, and
    which may be most of the memory, are copied if that is asked for."""

    def __init__(self, held, key, with_parameters):
        self.held, self.key, self.value = held, key, held[key]
        self.version = version_of(self.value)
        self.copy = None
        if with_parameters or not isinstance(self.value, torch.nn.Parameter):
            self.renew()

    def renew(self):
        self.copy = copy_of(self.value)

    def has_changed(self):
        now = self.held.get(self.key, self)
        if isinstance(self.value, torch.Tensor):
            return (now is not self.value or version_of(now) != self.version
                    or (self.copy is not None and not same(now, self.copy)))
        return not same(now, self.copy)

    def put_back(self):
        if isinstance(self.value, torch.Tensor):
            if self.copy is not None and is_writable(self.value):
                self.value.copy_(self.copy)
            self.held[self.key] = self.value
        else:
            self.held[self.key] = copy_of(self.copy)


def copy_of(value):
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    return copy.deepcopy(value)


class State:
    """All that a module has, or what of that is in `names`."""

    def __init__(self, model, names=None):
        self.kept = {}
        for name, place in places(model).items():
            if names is None or name in names:
                self.keep(name, place, names is not None)

    def keep(self, name, place, with_parameters):
        """Unless it cannot be copied, such as a dictionary of the code's own."""
        try:
            self.kept[name] = Kept(*place, with_parameters)
        except Exception as error:
            if is_memory_error(error):
                raise

    def keep_changed(self):
        """Drop what is as it was; returns the names of the rest."""
        self.kept = {name: kept for name, kept in self.kept.items()
                     if kept.has_changed()}
        return list(self.kept)

    def put_back(self):
        for kept in self.kept.values():
            kept.put_back()
