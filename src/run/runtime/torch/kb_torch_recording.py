"""The inputs of many calls without Python once a call: what get_inputs() asks
the device to do is recorded, and done again for every slot with the numbers
of that slot.
"""

import contextlib
import gc

import torch

from kb_torch_calls import generator_states
from kb_torch_draws import Unrecordable
from kb_torch_errors import headline, say


@contextlib.contextmanager
def no_collection():
    """Finalizers may ask the device for what cannot be recorded."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def bytes_of(tensor):
    """A view, of a tensor that is dense in whatever order."""
    return tensor.as_strided([tensor.numel()], [1]).view(torch.uint8)


class Recordings:
    """Of one reference on a CUDA device. What get_inputs() does is recorded
    the first time that it is wanted, for SIZES calls at a time, and trusted
    if it then makes the bits that get_inputs() itself makes. If it does not,
    or cannot be recorded, Python is called for every slot, as before."""

    SIZES = 16, 1
    PROBED_SLOTS = 16
    # To draw so much takes the device as long as Python takes for a call.
    CALL_BYTES_MAX = 32 << 20

    def __init__(self, reference):
        self.reference = reference
        self.lib = reference.lib
        self.numbers = {}  # the library's, by (alternate inputs?, calls)
        self.stream = None
        self.pool = None  # what recordings compute with
        self.why_not = None

    def parts(self, count):
        """So many calls, as calls of recordings."""
        large, small = self.SIZES
        return [large] * (count // large) + [small] * (count % large)

    def make(self, slots):
        """Queue what makes the inputs of these slots. Returns whether all
        that it takes is there."""
        if not slots:
            return True
        alternate = self.lib.alternate()
        numbers = [self.numbers.get((alternate, size))
                   for size in self.parts(len(slots))]
        if None in numbers:
            return False
        self.lib.replay_begin()
        for number in numbers:
            self.lib.replay(number)
        return True

    def learn(self, slots):
        """Record what make() misses for these slots, which get_inputs() has
        filled. Returns whether they are as they were."""
        if self.why_not or not self.is_worth_it():
            return True
        try:
            self.record_missing(set(self.parts(len(slots))))
            self.check(slots)
        except Exception as error:
            self.why_not = headline(error)
            say("kb_torch: get_inputs() is called for every call: %s\n"
                % self.why_not)
            self.numbers.clear()
            return False
        finally:
            self.reference.where.tidy()
        return True

    def is_worth_it(self):
        return self.reference.input_bytes() <= self.CALL_BYTES_MAX

    def record_missing(self, sizes):
        alternate = self.lib.alternate()
        for size in sizes:
            if (alternate, size) not in self.numbers:
                self.numbers[alternate, size] = self.record(size)

    def record(self, size):
        """The number of a new recording, of `size` calls."""
        self.open()
        # What is loaded on first use is loaded now.
        self.staged(*self.reference.draw_inputs(0))
        states = generator_states()
        with no_collection(), torch.cuda.stream(self.stream):
            with torch.cuda.use_mem_pool(self.pool):
                number = self.capture(size)
        if generator_states() != states:
            raise Unrecordable("some numbers are not the device's")
        return number

    def open(self):
        if not self.pool:
            self.stream = torch.cuda.Stream()
            self.pool = torch.cuda.MemPool()

    def capture(self, size):
        self.lib.device_sync()
        self.lib.record_begin(self.stream.cuda_stream)
        try:
            for call in range(size):
                self.capture_call(call)
            return self.lib.record_end(size)
        finally:
            self.lib.record_drop()  # nothing is left of what failed

    def capture_call(self, call):
        staged = self.staged(*self.reference.record_inputs(call))
        for i, tensor in enumerate(staged):
            self.lib.record_input(call, i, tensor.data_ptr())

    def staged(self, nesting, leaves):
        """The inputs of a call, as they lie where they belong, before they go
        there."""
        reference = self.reference
        first = reference.inputs(self.lib.first_slot())
        flat = reference.fitting(nesting, leaves, first)
        tensors = [self.laid_out(leaf, place)
                   for leaf, place in zip(flat, first)]
        if self.lib.alternate():
            tensors = [tensor.clone() if i in reference.alternate else tensor
                       for i, tensor in enumerate(tensors)]
            reference.mend(tensors)
        return tensors

    def laid_out(self, tensor, place):
        if not self.reference.where.is_there(tensor):
            raise Unrecordable("an input is made on the CPU")
        if tensor.stride() == place.stride() and not tensor.is_neg():
            return tensor
        return torch.empty_strided(place.shape, place.stride(),
                                   dtype=tensor.dtype,
                                   device=tensor.device).copy_(tensor)

    def check(self, slots):
        """Make the inputs of all slots anew; compare those of some."""
        probed = [slot for slot in slots
                  if slot < slots.start + self.PROBED_SLOTS
                  or slot == slots[-1]]
        wanted = [[tensor.clone() for tensor in self.reference.inputs(slot)]
                  for slot in probed]
        for slot in probed:
            for tensor in self.reference.inputs(slot):
                bytes_of(tensor).bitwise_not_()
        self.make(slots)
        for slot, tensors in zip(probed, wanted):
            for got, want in zip(self.reference.inputs(slot), tensors):
                if not torch.equal(bytes_of(got), bytes_of(want)):
                    raise Unrecordable("done again, it makes other inputs")
