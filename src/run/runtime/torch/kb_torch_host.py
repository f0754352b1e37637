"""The CPU, where a worker runs that is not told otherwise. The Device of
kb_torch_cuda.py does the same on another, and has a pool.
"""

import contextlib
import ctypes
import math

import torch

from kb_torch_calls import generator_states


def strides_of(tensor):
    """If its elements are dense in another order than that of its dimensions, as
    of one in channels_last or transposed; else None."""
    if tensor.is_contiguous():
        return None
    count = 1
    for stride, n in sorted(zip(tensor.stride(), tensor.shape)):
        if n != 1 and stride != count:
            return None
        count *= n
    return list(tensor.stride())


def host_tensor(dtype, shape, address, strides=None):
    """The tensor at `address`, without a copy; contiguous without `strides`."""
    tensor = torch.empty(0, dtype=dtype)
    count = math.prod(shape)
    if not count:
        return tensor.view(shape)
    memory = ctypes.c_char * (count * tensor.element_size())
    flat = torch.frombuffer(memory.from_address(address), dtype=dtype,
                            count=count)
    return flat.as_strided(shape, strides) if strides else flat.view(shape)


def anew(tensor):
    """Another tensor in the same memory, no view of the first: whatever is
    done to it, the first stays as it is."""
    return torch.Tensor._make_subclass(torch.Tensor, tensor)


class Host:
    tensor = staticmethod(host_tensor)

    def __init__(self, worker):
        self.worker = worker
        self.lib = worker.lib

    def open(self):
        """No code has run yet."""

    def open_libraries(self, records):
        """On a CPU there is nothing that a process has to have first."""

    def spoil(self):
        """What is free on a CPU the C library gives to whoever asks first."""

    def device(self):
        return torch.device("cpu")

    def building(self):
        """For the time that code builds what it will compute with."""
        return contextlib.nullcontext()

    def adopt(self, thing):
        """A module or a tensor that was built, where it belongs."""
        return thing

    def number(self, value, dtype):
        return torch.tensor(value, dtype=dtype)

    def generator_states(self):
        """Of each that a call may draw from."""
        return generator_states()

    def outputs(self, slot):
        """Places for what a call returns: they have a shape and a type."""
        return [self.tensor(dtype, shape, self.lib.output_data(slot, i))
                for i, (dtype, shape)
                in enumerate(self.worker.output_shapes)]

    def put(self, flat, i, place):
        """Leave flat[i], which fits, in its place."""
        place.copy_(flat[i])

    def forget(self, slot):
        """Outputs of the set of slots that `slot` is of are not needed."""

    def settle(self):
        """What was computed is there when this returns."""

    def tidy(self):
        """Memory that is free is so for others as well."""

    def run(self, call_all, acknowledge_queued):
        failure = None
        acknowledge_queued()
        self.lib.gate_wait()
        try:
            call_all()
        except BaseException as error:  # SystemExit is a failure as well
            failure = error
        if failure is None:
            self.lib.gate_done()
        else:
            self.lib.gate_failed()
        self.lib.gate_wait_release()
        if failure is not None:
            raise failure
