"""In place of src/run/runtime/torch/kb_torch.py, on the stand-in for a GPU, where no
torch works: a worker whose calls copy their input, 1000 floats, and take as much
of its output pool as its file says. What a file may say:

    CALL_MIB    what a call takes beside its output
    FAILS_AT    at its run of this number, from 1, a call takes more than there is
    ALIASES     all outputs of a run are said to be where the first is
"""

import contextlib
import ctypes
import sys
import traceback

from kb_torch_errors import Refused, ran_out_of_memory
from kb_torch_library import Drawing, Library, Spec
from kb_torch_options import parse

FLOATS, MIB = 1000, 1 << 20
LOAD_FD_COUNT = 3


def number_in(file, name, otherwise):
    said = {}
    with open(file, encoding="utf-8") as code:
        exec(code.read(), said)
    return said.get(name, otherwise)


class Worker:
    def __init__(self, library, role, file):
        self.lib = library
        self.is_reference = role == "reference"
        self.call_bytes = number_in(file, "CALL_MIB", 0) * MIB
        self.fails_at = number_in(file, "FAILS_AT", 0)
        self.aliases = number_in(file, "ALIASES", 0)
        self.runs = 0
        self.kept = {False: [], True: []}  # addresses of outputs, by set
        self.spec = Spec(dtype=library.number("KB_FLOAT32"), ndim=1)
        self.spec.dims[0] = FLOATS
        library.c.kbrt_pool_alloc.restype = ctypes.c_void_p
        library.c.kbrt_pool_alloc.argtypes = [
            ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
        library.c.kbrt_pool_free.argtypes = [
            ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
        self.copy = ctypes.CDLL("libcuda.so.1").cuMemcpyDtoDAsync_v2
        self.copy.argtypes = [ctypes.c_uint64, ctypes.c_uint64,
                              ctypes.c_size_t, ctypes.c_void_p]

    def load(self):
        self.lib.load(LOAD_FD_COUNT)
        self.lib.cuda_open()
        if self.is_reference:
            self.lib.input_add(self.spec)
            self.lib.output_add(self.spec)
            self.lib.state_map()
            self.lib.publish()

    def pool(self):
        self.lib.pool_map()

    def slot(self):
        self.lib.slot_map()

    def slots(self):
        self.lib.slots_check()
        first = self.lib.first_slot()
        return range(first, first + self.lib.slot_count())

    def generate(self):
        kind = self.lib.number("KB_DRAW_UNIFORM")
        for i, slot in enumerate(self.slots()):
            self.lib.draw_on_device(self.lib.input_data(slot, 0), self.spec,
                                    Drawing(kind=kind, slot=i, high=1))
        self.lib.device_sync()

    def fp64_error(self):
        self.lib.fp64_error_publish(b"the stand-in has no float64")

    def take(self, count):
        address = self.lib.c.kbrt_pool_alloc(count, 0, None)
        if not address:
            raise MemoryError
        return address

    def give(self, address):
        self.lib.c.kbrt_pool_free(address, 0, 0, None)

    def call(self, slot, kept):
        kept.append(self.take(4 * FLOATS))
        if self.runs == self.fails_at:
            raise MemoryError
        if self.call_bytes:
            work = self.take(self.call_bytes)
            self.lib.output_at(slot, 0, kept[-1], 4 * FLOATS)  # at the peak
            self.give(work)
        self.copy(kept[-1], self.lib.input_data(slot, 0), 4 * FLOATS, None)
        self.lib.output_at(slot, 0, kept[0 if self.aliases else -1], 4 * FLOATS)

    def call_all(self, slots):
        kept = self.kept[slots.start >= self.lib.number("KB_MASTER_SLOT")]
        while kept:
            self.give(kept.pop())
        self.runs += 1
        for slot in slots:
            self.call(slot, kept)

    def run(self):
        """As Device of kb_torch_cuda.py."""
        lib, slots, gate = self.lib, self.slots(), self.lib.gate_of_request()
        failure = None
        lib.device_sync()
        if gate == lib.number("KB_GATE_STREAM"):
            lib.stream_gate_wait()
            self.call_all(slots)
            lib.stream_gate_done()
            lib.ack(0)
            lib.gate_wait_release()
        elif gate == lib.number("KB_GATE_HOST"):
            lib.ack(0)
            lib.gate_wait()
            try:
                self.call_all(slots)
                lib.stream_gate_done()
            except MemoryError as error:
                failure = error
                lib.gate_done()
            lib.gate_wait_release()
        else:
            self.call_all(slots)
        if failure:
            raise failure
        lib.device_sync()

    def attempt(self, operation):
        try:
            operation()
            return 0
        except Exception as error:
            traceback.print_exc()
            if isinstance(error, Refused):
                return error.code
            return self.lib.number("KB_ACK_NO_MEMORY"
                                   if ran_out_of_memory(error)
                                   else "KB_ACK_RUN_FAILED")

    def serve(self):
        operations = {self.lib.number("KB_OP_" + name.upper()):
                      getattr(self, name) for name in
                      ("load", "pool", "slot", "generate", "run", "fp64_error")}
        while True:
            op = self.lib.receive()
            if not op:
                return
            code = self.attempt(operations[op])
            with contextlib.suppress(Exception):
                sys.stderr.flush()
            self.lib.ack(code)


def main():
    _, (path, role, *files) = parse(sys.argv[1:])
    Worker(Library(path), role, files[-1]).serve()


if __name__ == "__main__":
    sys.exit(main())
