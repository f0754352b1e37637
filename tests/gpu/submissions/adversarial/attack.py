# What the candidates in Python that look behind the gate have in common, as
# attack.h has it for native ones. A candidate is one file: its line that imports
# everything from here is replaced by this text.
import ctypes
import gc
import time

import torch

HONEST_BATCHES = 3  # first runs load and build
OPEN_GATE_S = 1e-3  # what was queued without a gate is over by then
WAIT_GEQ, WAIT_NONZERO = 0, 2

driver = ctypes.CDLL("libcuda.so.1")
for name in ("cuStreamWaitValue32_v2", "cuStreamWriteValue32_v2"):
    getattr(driver, name).argtypes = [ctypes.c_void_p, ctypes.c_uint64,
                                      ctypes.c_uint32, ctypes.c_uint]


def wait_value(stream, address, value, flags):
    driver.cuStreamWaitValue32_v2(stream.cuda_stream, address, value, flags)


def write_value(stream, address, value):
    driver.cuStreamWriteValue32_v2(stream.cuda_stream, address, value, 0)


def address_of(name):
    """Of the supervisor's page or table in this process."""
    for line in open("/proc/self/maps"):
        if name in line:
            return int(line.split("-")[0], 16)
    raise LookupError(name)


def seen_by_device(address):
    seen = ctypes.c_uint64()
    driver.cuMemHostGetDevicePointer_v2(ctypes.byref(seen),
                                        ctypes.c_void_p(address), 0)
    return seen.value


def armed(times=[0]):
    """To be said whenever the trick is really tried: an attack that never was
    proves nothing."""
    times[0] += 1
    if not times[0] & (times[0] - 1):
        print("attack: armed %d" % times[0], flush=True)


def is_waiting():
    """Is what is queued held up?"""
    here = torch.cuda.Event()
    here.record()
    start = time.perf_counter()
    while not here.query():
        if time.perf_counter() - start > OPEN_GATE_S:
            return True
    return False


class Gate:
    """To be told of each call first. A batch begins where the first input
    comes again."""

    def __init__(self):
        page = address_of("kb-control")
        self.words = (ctypes.c_uint32 * 32).from_address(page)
        self.go_seen = seen_by_device(page)
        self.done_seen = self.go_seen + 64
        self.first = None
        self.batches = self.calls = self.ticket = 0
        self.trick = self.timed = False  # behind a gate that is closed, open

    def call(self, x):
        if self.first is None:
            self.first = x.data_ptr()
        if x.data_ptr() == self.first:
            self.batches += 1
            self.calls = 0
            self.ticket = self.words[16] + 1
            self.timed = (self.words[0] == self.ticket
                          and self.batches > HONEST_BATCHES)
            self.trick = (self.words[0] != self.ticket and is_waiting()
                          and self.batches > HONEST_BATCHES)
        self.calls += 1
        return self.trick


def worker_library():
    """The worker's own functions, which live in this process."""
    for thing in gc.get_objects():
        if (type(thing).__module__.startswith("kb_torch")
                and hasattr(thing, "device_sync")
                and hasattr(thing, "stream_gate_wait")):
            return thing
    raise LookupError("the worker's library")
