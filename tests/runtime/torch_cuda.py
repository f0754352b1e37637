"""torch_cuda.py LIBEXEC: what src/run/runtime/torch does on a CUDA device, without
one: the CPU is the device, and a recorder is the library. TAP on stdout."""

import contextlib
import ctypes
import os
import random
import sys
import tempfile
import types
import weakref

from torch_rig import need, run_tests

need("torch")
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import kb_torch_cuda
import kb_torch_recording
import kb_torch_worker
from kb_torch_calls import configure, seed_generators, take_apart
from kb_torch_compiling import compiles
from kb_torch_errors import Unsupported
from kb_torch_host import host_tensor
from kb_torch_options import parse
from kb_torch_recording import Recordings
from kb_torch_worker import Candidate, Reference

kb_torch_cuda.DEVICE = "cpu"
kb_torch_cuda.Device.is_there = staticmethod(lambda tensor: True)
torch.cuda.use_mem_pool = lambda pool: contextlib.nullcontext()


class Streams:
    """torch.cuda's, as far as a worker asks: `waited` is who for whom."""

    def __init__(self):
        self.waited = []
        self.default = types.SimpleNamespace(
            wait_stream=lambda other: self.waited.append(other))
        self.current = self.default
        torch.cuda.default_stream = lambda: self.default
        torch.cuda.current_stream = lambda: self.current
        torch.cuda.set_stream = lambda stream: setattr(self, "current", stream)


STREAMS = Streams()

HOST, STREAM, NONE = range(3)
MASTER = 1024
F32, F16, I64 = torch.float32, torch.float16, torch.int64


class Recorder:
    """In place of kb_torch_library.Library: what was asked for, in order."""

    def __init__(self, gate=NONE):
        self.said = []
        self.gate = gate
        self.pool = set()  # addresses that are not in it
        self.table = {}

    def number(self, name):
        known = {"KB_GATE_HOST": HOST, "KB_GATE_STREAM": STREAM,
                 "KB_GATE_NONE": NONE, "KB_MASTER_SLOT": MASTER}
        return known.get(name, name)

    def gate_of_request(self):
        return self.gate

    def output_at(self, slot, i, address, size_bytes):
        if address in self.pool:
            return False
        self.table[slot, i] = address
        return True

    def __getattr__(self, name):
        return lambda *arguments: self.said.append(name)


def make_worker(gate=NONE, numbers=()):
    options, _ = parse(["lib", "candidate", "-", "c.py"])
    worker = Candidate(Recorder(gate), options, "-", "c.py")
    worker.where = kb_torch_cuda.Device(worker)
    worker.where.pool = True
    worker.numbers = list(numbers)
    return worker


def places(device, *outputs, slot=0):
    device.worker.output_shapes = outputs
    return device.outputs(slot)


def run(worker, forward, *outputs):
    """One call of `forward` by the gate; returns what was said, or raises."""
    said = worker.lib.said

    def call(x):
        said.append("call")
        return forward(x)

    calls = [((torch.ones(4),), {}, [], places(worker.where, *outputs))]
    worker.where.run(lambda: worker.call_all(call, calls),
                     lambda: said.append("ack"))
    return said


def count_kernels(can_count, forward):
    """What was said, with the failure, if there was one."""
    worker = make_worker(NONE)
    said = worker.lib.said
    worker.lib.kernels_begin = lambda: said.append("begin") or can_count

    def run_once(acknowledge_queued):
        calls = [((torch.ones(4),), {}, [], places(worker.where, (F32, (4,))))]
        worker.where.run(lambda: worker.call_all(forward, calls),
                         acknowledge_queued)

    worker.run = run_once
    error = raises(worker.count_kernels)
    return said, error


def raises(function, *arguments):
    try:
        function(*arguments)
    except Exception as error:
        return error
    return None


def fail(x):
    raise ValueError("no such luck")


# --- opening -------------------------------------------------------------


def test_torch_need_not_ask_how_many_devices_there_are():
    cuda = vars(torch.cuda)
    for shown, wanted in ("GPU-1", 1), ("GPU-1,GPU-2", 2), ("", None):
        with replaced(cuda, "init", lambda: None), \
                replaced(cuda, "_cached_device_count", None), \
                replaced(os.environ, "CUDA_VISIBLE_DEVICES", shown):
            kb_torch_cuda.init()
            assert torch.cuda._cached_device_count == wanted


# --- the gate ------------------------------------------------------------

RECYCLED = ["device_sync"] * 2


def test_memory_is_recycled_before_torch_takes_the_pool():
    said = []
    worker = make_worker(NONE)
    worker.where.recycle = lambda: said.append("recycle")
    taken, torch.cuda.use_mem_pool = torch.cuda.use_mem_pool, lambda pool: (
        said.append("pool") or contextlib.nullcontext())
    run(worker, torch.relu, (F32, (4,)))
    torch.cuda.use_mem_pool = taken
    assert said == ["recycle", "pool"]


def test_nothing_is_said_before_calls_are_queued_behind_the_device():
    assert run(make_worker(STREAM), torch.relu, (F32, (4,))) == RECYCLED + [
        "stream_gate_wait", "call", "stream_gate_done", "ack",
        "gate_wait_release", "device_sync"]


def test_call_clock_has_the_gate_in_the_thread():
    assert run(make_worker(HOST), torch.relu, (F32, (4,))) == RECYCLED + [
        "ack", "gate_wait", "call", "stream_gate_done",
        "gate_wait_release", "device_sync"]


def test_plain_run_has_no_gate():
    assert run(make_worker(NONE), torch.relu, (F32, (4,))) == RECYCLED + [
        "call", "device_sync"]


def test_done_waits_for_the_stream_that_is_left_the_current_one():
    def leave(x):
        torch.cuda.set_stream("side")
        return x.relu()

    def told():
        seen.append((list(STREAMS.waited), STREAMS.current))

    for gate in HOST, STREAM:
        seen = []
        STREAMS.waited.clear()
        worker = make_worker(gate)
        worker.lib.stream_gate_done = told
        run(worker, leave, (F32, (4,)))
        assert seen == [(["side"], STREAMS.default)], (gate, seen)


def test_a_plain_run_goes_back_to_the_stream_it_began_on():
    run(make_worker(NONE), lambda x: torch.cuda.set_stream("side") or x,
        (F32, (4,)))
    assert STREAMS.current is STREAMS.default


def test_nobody_waits_for_a_stream_that_nobody_left():
    STREAMS.waited.clear()
    run(make_worker(HOST), torch.relu, (F32, (4,)))
    assert not STREAMS.waited


def test_kernels_are_counted_until_the_device_is_done():
    assert count_kernels(1, torch.relu) == (
        ["begin"] + RECYCLED + ["device_sync", "kernels_end", "kernels_drop"],
        None)


def test_nothing_runs_where_kernels_cannot_be_counted():
    assert count_kernels(0, fail) == (["begin", "kernels_drop"], None)


def test_counting_ends_with_a_call_that_fails():
    said, error = count_kernels(1, fail)
    assert isinstance(error, ValueError)
    assert said == ["begin"] + RECYCLED + ["kernels_drop"]


def test_failure_behind_the_device_is_the_only_ack():
    worker = make_worker(STREAM)
    assert isinstance(raises(run, worker, fail, (F32, (4,))), ValueError)
    assert worker.lib.said == RECYCLED + ["stream_gate_wait", "call"]


def test_failure_behind_the_thread_is_said_after_the_release():
    worker = make_worker(HOST)
    assert isinstance(raises(run, worker, fail, (F32, (4,))), ValueError)
    assert worker.lib.said == RECYCLED + [
        "ack", "gate_wait", "call", "gate_failed", "gate_wait_release"]


def test_numbers_cannot_be_read_behind_the_device():
    error = raises(make_worker(STREAM, [False, True]).check_gate)
    assert error.code == "KB_ACK_NO_GATE"
    assert str(error) == ("an input is a plain number, which can be read only "
                          "when the gate is open")
    for gate in HOST, NONE:
        make_worker(gate, [True]).check_gate()
    make_worker(STREAM, [False]).check_gate()


def test_random_numbers_cannot_be_drawn_behind_the_device():
    worker = make_worker(STREAM)
    worker.is_random = True
    error = raises(worker.check_gate)
    assert error.code == "KB_ACK_NO_GATE"
    assert "a call draws random numbers" in str(error)
    for gate in HOST, NONE:
        worker = make_worker(gate)
        worker.is_random = True
        worker.check_gate()


def test_there_is_no_run_without_a_pool():
    worker = make_worker()
    worker.where.pool = None
    error = raises(run, worker, torch.relu, (F32, (4,)))
    assert error.code == "KB_ACK_CODE_COUNT"


# --- outputs -------------------------------------------------------------


def where_is(worker, forward, *outputs):
    """Addresses of what `forward` returned and of where it was left."""
    seen = []

    def call(x):
        result = forward(x)
        seen.append(result.data_ptr())
        return result

    run(worker, call, *outputs)
    return seen[0], worker.lib.table[0, 0]


def test_new_tensor_stays_where_it_is():
    made, left = where_is(make_worker(), torch.relu, (F32, (4,)))
    assert made == left


def test_slice_that_is_dense_stays_where_it_is():
    made, left = where_is(make_worker(), lambda x: torch.relu(x)[1:],
                          (F32, (3,)))
    assert made == left


def test_view_with_strides_is_copied():
    worker = make_worker()
    made, left = where_is(worker, lambda x: torch.relu(x)[::2], (F32, (2,)))
    assert made != left
    assert worker.where.kept[False][0].tolist() == [1, 1]


def test_tensor_outside_the_pool_is_copied():
    worker = make_worker()
    outside = torch.relu(torch.ones(4))
    worker.lib.pool.add(outside.data_ptr())
    made, left = where_is(worker, lambda x: outside.view(4), (F32, (4,)))
    assert made != left


def test_tensor_that_somebody_keeps_is_copied():
    worker, kept = make_worker(), torch.zeros(4)
    made, left = where_is(worker, kept.copy_, (F32, (4,)))
    assert made != left
    kept.fill_(2)
    assert worker.where.kept[False][0].tolist() == [1, 1, 1, 1]


def places_of(parts, *sizes):
    """Where outputs of so many elements are that are made from one tensor."""
    worker = make_worker()
    run(worker, lambda x: parts(torch.relu(x)), *((F32, (n,)) for n in sizes))
    starts = [worker.lib.table[0, i] for i in range(len(sizes))]
    return [set(range(at, at + 4 * n)) for at, n in zip(starts, sizes)]


def test_outputs_that_share_memory_get_places_of_their_own():
    for parts, *sizes in [(lambda y: (y, y.view(4)), 4, 4),
                          (lambda y: (y, y[3:]), 4, 1),
                          (lambda y: (y[3:], y), 1, 4)]:
        first, second = places_of(parts, *sizes)
        assert not first & second


def test_halves_of_a_tensor_stay_where_they_are():
    first, second = places_of(lambda y: (y[:2], y[2:]), 2, 2)
    assert max(first) + 1 == min(second)


def test_torch_that_does_not_use_the_pool_is_an_error():
    worker = make_worker()
    worker.lib.output_at = lambda *arguments: False
    error = raises(run, worker, torch.relu, (F32, (4,)))
    assert error.code == "KB_ACK_RUN_FAILED"
    assert str(error) == "torch does not use the pool"


def test_numbers_become_tensors():
    worker = make_worker()
    run(worker, lambda x: [2, True, {"a": 0.5}], (I64, ()), (torch.bool, ()),
        (torch.float64, ()))
    assert [t.item() for t in worker.where.kept[False]] == [2, True, 0.5]


def test_wrong_outputs_are_told_apart():
    table = [(lambda x: [x, x], "KB_ACK_WRONG_SHAPE", "2 outputs, not 1"),
             (lambda x: x[:2], "KB_ACK_WRONG_SHAPE",
              "output 0 has shape (2,), not (4,)"),
             (lambda x: x.half(), "KB_ACK_WRONG_DTYPE",
              "output 0 is torch.float16, not torch.float32")]
    for forward, code, why in table:
        error = raises(run, make_worker(), forward, (F32, (4,)))
        assert (error.code, str(error)) == (code, why)


def test_outputs_are_kept_for_each_set_of_slots():
    device = make_worker().where
    for slot in 0, 1, MASTER:
        device.put([torch.ones(1)], 0, places(device, (F32, (1,)), slot=slot)[0])
    assert [len(device.kept[master]) for master in (False, True)] == [2, 1]
    device.forget(1)
    assert [len(device.kept[master]) for master in (False, True)] == [0, 1]
    device.forget(MASTER + 7)
    assert not device.kept[True]


# --- inputs --------------------------------------------------------------


def test_strides_of_a_dense_tensor():
    for shape in (), (3,), (2, 3, 4), (1, 5):
        assert kb_torch_cuda.dense_strides(shape) == list(
            torch.empty(shape).stride())


def test_precision_is_of_floats_of_16_bits_and_more():
    options, _ = parse(["--precision", "fp16", "lib", "reference", "p.py"])
    reference = Reference(Recorder(), options, "p.py")
    for dtype in F32, torch.float64, torch.bfloat16:
        assert reference.adopt_input(torch.ones(1, dtype=dtype)).dtype == F16
    for dtype in I64, torch.bool, torch.uint8:
        assert reference.adopt_input(torch.ones(1, dtype=dtype)).dtype == dtype
    assert reference.adopt_input(0.5) == 0.5
    if hasattr(torch, "float8_e5m2"):
        eight = torch.zeros(1, dtype=torch.float8_e5m2)
        assert reference.adopt_input(eight) is eight


# --- recordings ----------------------------------------------------------


class Tape(TorchDispatchMode):
    """What a CUDA graph is: operations on memory, to be done again."""

    def __init__(self):
        super().__init__()
        self.steps = []

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        if "_local_scalar_dense" in str(operation):
            raise RuntimeError("operation not permitted when stream is "
                               "capturing")
        result = operation(*args, **(kwargs or {}))

        def again(first_slot):
            new = operation(*args, **(kwargs or {}))
            if new.data_ptr() != result.data_ptr():
                result.copy_(new)

        if isinstance(result, torch.Tensor):
            self.steps.append(again)
        return result


class Tapes(Recorder):
    """A library with slots, draws and recordings."""

    def __init__(self, *shapes):
        super().__init__()
        self.shapes = shapes
        self.memory = {}
        self.seed = 1
        self.slots = range(0)
        self.is_alternate = False
        self.tape, self.kept, self.base = None, [], 0

    def number(self, name):
        if name.startswith("KB_DRAW") or name.startswith("KB_FLOAT") or (
                name.startswith("KB_INT")):
            return sum(map(ord, name))
        return super().number(name)

    def first_slot(self):
        return self.slots.start

    def slot_count(self):
        return len(self.slots)

    def alternate(self):
        return self.is_alternate

    def input_data(self, slot, i):
        dtype, shape = self.shapes[i]
        place = torch.zeros(shape, dtype=dtype)
        return self.memory.setdefault((slot, i), place).data_ptr()

    def numbers(self, count, slot, draw):
        chance = random.Random("%d %d %d" % (self.seed, slot, draw))
        return [chance.randrange(2**20) for _ in range(count)]

    def draw_on_device(self, address, spec, how):
        wide = spec.dtype == self.number("KB_INT64")
        kind = ctypes.c_int64 if wide else ctypes.c_float
        count = 1
        for n in spec.dims[:spec.ndim]:
            count *= n

        def again(first_slot):
            values = self.numbers(count, first_slot + how.slot, how.draw)
            (kind * count).from_address(address)[:] = values

        if self.tape:
            self.tape.steps.append(again)
        again(0)

    def record_begin(self, stream):
        self.said.append("record")
        self.tape = Tape()
        self.tape.__enter__()

    def record_input(self, call, i, address):
        dtype, shape = self.shapes[i]
        made = host_tensor(dtype, shape, address)
        self.tape.steps.append(
            lambda first: self.memory[self.slots.start + first + call,
                                      i].copy_(made))

    def record_end(self, calls):
        self.kept.append((self.tape.steps, calls))
        self.record_drop()
        return len(self.kept) - 1

    def record_drop(self):
        if self.tape:
            self.tape.__exit__(None, None, None)
        self.tape = None

    def replay_begin(self):
        assert self.kept, "nothing was recorded"
        self.base = 0

    def replay(self, number):
        self.said.append("replay")
        steps, calls = self.kept[number]
        for step in steps:
            step(self.base)
        self.base += calls


torch.cuda.Stream = lambda: types.SimpleNamespace(cuda_stream=7)
torch.cuda.stream = lambda stream: contextlib.nullcontext()
torch.cuda.MemPool = object


def make_recorded(get_inputs, *shapes, **options):
    """A reference that has loaded these inputs."""
    reference = make_reference()
    reference.lib = library = Tapes(*shapes)
    reference.__init__(library, parse(["lib", "reference", "p.py"])[0], "p.py")
    reference.draws.is_there = lambda tensor: True
    reference.where = kb_torch_cuda.Device(reference)
    reference.where.tensor = host_tensor
    reference.where.building = contextlib.nullcontext
    reference.where.adopt = lambda tensor: tensor
    reference.recordings = Recordings(reference)
    reference.get_inputs = get_inputs
    reference.input_shapes = shapes
    reference.input_strides = [None] * len(shapes)
    reference.nesting = take_apart(get_inputs(), [])
    vars(reference).update(options)
    return reference


def generate(reference, seed, count, first=MASTER):
    """The inputs, and what was asked for to make them."""
    library = reference.lib
    library.seed, library.slots = seed, range(first, first + count)
    library.said.clear()
    for slot in library.slots:
        reference.slot(slot)
    reference.generate()
    inputs = [[library.memory[slot, i].tolist()
               for i in range(len(library.shapes))]
              for slot in library.slots]
    return inputs, [word for word in library.said
                    if word in ("record", "replay")]


def by_python(reference, *request):
    recordings, reference.recordings = reference.recordings, None
    try:
        return generate(reference, *request)[0]
    finally:
        reference.recordings = recordings


def why_not(reference, *request):
    said = []
    with replaced(vars(kb_torch_recording), "say", said.append):
        generate(reference, *request)
        inputs, did = generate(reference, *request)
    assert not did and len(said) == 1, said
    assert inputs == by_python(reference, *request)
    return said[0]


def two_inputs():
    return [torch.randn(3, 4).t() * 2 - 1, torch.randint(0, 9, (5,))]


TWO = (F32, (4, 3)), (I64, (5,))


def test_inputs_are_recorded_once_and_made_without_python():
    reference = make_recorded(two_inputs, *TWO)
    assert generate(reference, 1, 37) == (
        by_python(reference, 1, 37),
        ["record"] * 2 + ["replay"] * 7)  # 16, 16 and 5 of them
    reference.get_inputs = None
    for request in (2, 1), (3, 16), (4, 20), (5, 48, MASTER + 7):
        inputs, did = generate(reference, *request)
        assert set(did) == {"replay"}
        reference.get_inputs = two_inputs
        assert inputs == by_python(reference, *request), request
        reference.get_inputs = None


def test_recordings_lay_inputs_out_as_the_first_ones_were():
    reference = make_recorded(two_inputs, *TWO, input_strides=[[1, 4], None])
    want = by_python(reference, 1, 17)
    assert want != by_python(make_recorded(two_inputs, *TWO), 1, 17)
    assert generate(reference, 1, 17)[0] == want
    assert generate(reference, 1, 17) == (want, ["replay"] * 2)


def test_what_is_missing_is_recorded_when_it_is_wanted():
    reference = make_recorded(two_inputs, *TWO)
    assert generate(reference, 1, 16)[1] == ["record", "replay"]
    assert generate(reference, 1, 17)[1] == ["record", "replay", "replay"]
    assert generate(reference, 1, 17)[1] == ["replay", "replay"]


def test_alternate_inputs_have_recordings_of_their_own():
    reference = make_recorded(two_inputs, *TWO, alternate={0: (3, -1)})
    plain = generate(reference, 1, 2)[0]
    reference.lib.is_alternate = True
    changed, did = generate(reference, 1, 2)
    assert did == ["record", "replay", "replay"]
    assert generate(reference, 1, 2) == (changed, ["replay"] * 2)
    for (x, y), (x_changed, y_changed) in zip(plain, changed):
        assert (torch.tensor(x) * 3 - 1).tolist() == x_changed
        assert y == y_changed
    reference.lib.is_alternate = False
    assert generate(reference, 1, 2) == (plain, ["replay"] * 2)


def test_nested_inputs_and_numbers_are_recorded():
    def get_inputs():
        return {"x": torch.rand(2), "more": [torch.rand(2).expand(2, 2), 3]}

    reference = make_recorded(get_inputs, (F32, (2, 2)), (I64, ()), (F32, (2,)))
    generate(reference, 1, 3)
    assert generate(reference, 2, 3) == (by_python(reference, 2, 3),
                                         ["replay"] * 3)


def test_what_is_not_made_by_the_device_alone_is_not_recorded():
    reference = None

    def is_recorded():
        return reference is not None and reference.draws.recorded

    def changes():
        return [torch.rand(2) + is_recorded()]

    def by_chance():
        return [torch.rand(2) * random.choice((1, 1))]

    def by_another_generator():
        return [torch.rand(2) + torch.zeros(2).uniform_()]

    def looks():
        return [torch.rand(2) + (1 if torch.rand(1).item() < 0 else 2)]

    def fails():
        if is_recorded():
            raise OSError("no")
        return [torch.rand(2)]

    table = [(changes, "Unrecordable: done again, it makes other inputs"),
             (by_chance, "Unrecordable: some numbers are not the device's"),
             (by_another_generator,
              "Unrecordable: some numbers are not the device's"),
             (looks, "RuntimeError: operation not permitted when stream is "
              "capturing"),
             (fails, "OSError: no")]
    for get_inputs, why in table:
        reference = None
        reference = make_recorded(get_inputs, (F32, (2,)))
        said = why_not(reference, 1, 20)
        assert said == ("kb_torch: get_inputs() is called for every call: "
                        "%s\n" % why), said


def test_numbers_that_are_drawn_on_the_cpu_are_not_recorded():
    reference = make_recorded(lambda: [torch.rand(2)], (F32, (2,)))
    reference.draws.is_there = lambda tensor: not reference.draws.recorded
    reference.lib.draw = reference.lib.draw_on_device
    assert why_not(reference, 1, 1).endswith(
        "Unrecordable: numbers are drawn on the CPU\n")


def test_large_inputs_are_not_recorded():
    reference = make_recorded(lambda: [torch.rand(3)], (F32, (3,)))
    reference.recordings.CALL_BYTES_MAX = 11
    for _ in range(2):
        assert generate(reference, 1, 2)[1] == []
    reference.recordings.CALL_BYTES_MAX = 12
    assert generate(reference, 1, 2)[1] == ["record", "replay", "replay"]


def test_a_run_of_no_calls_needs_no_inputs():
    reference = make_recorded(two_inputs, *TWO)
    assert generate(reference, 1, 0) == ([], [])
    generate(reference, 1, 1)
    assert generate(reference, 1, 0) == ([], [])


# --- the command line ----------------------------------------------------


def test_options_come_first_and_have_defaults():
    options, rest = parse(["lib", "candidate", "p", "c"])
    assert vars(options) == {"cuda": False, "precision": "fp32", "tf32": "off",
                             "deterministic": "off", "mode": "eager",
                             "candidate_weights": "reference",
                             "conventions": "kernelbench",
                             "alternate": {}, "rank": 0, "ranks": 1,
                             "screened": False}
    assert rest == ["lib", "candidate", "p", "c"]
    options, _ = parse(["--alternate", "0:4:-2,2:1e2:0.5", "lib", "reference",
                        "p"])
    assert options.alternate == {0: (4, -2), 2: (100, 0.5)}
    assert not parse(["--alternate", "0:4:-2", "lib", "candidate", "p", "c"])
    options, rest = parse(
        ["--cuda", "--precision", "bf16", "--tf32", "on", "--deterministic",
         "on", "--candidate-weights", "own", "--mode", "compile:max-autotune",
         "--conventions", "v3", "--ranks", "4", "--screened", "lib",
         "reference", "p"])
    assert vars(options) == {"cuda": True, "precision": "bf16", "tf32": "on",
                             "deterministic": "on",
                             "mode": "compile:max-autotune",
                             "candidate_weights": "own",
                             "conventions": "v3", "alternate": {},
                             "rank": 0, "ranks": 4, "screened": True}
    assert rest == ["lib", "reference", "p"]


def test_tf32_is_off_or_on_or_as_torch_itself_has_it():
    flags = torch.backends.cuda.matmul, torch.backends.cudnn
    itself = [f.allow_tf32 for f in flags]
    assert itself == [False, True]  # products, convolutions
    for mode, wanted in (("torch", itself), ("on", [True, True]),
                         ("off", [False, False])):
        options, _ = parse(["--cuda", "--tf32", mode, "lib", "reference", "p"])
        configure(options)
        assert [f.allow_tf32 for f in flags] == wanted, mode
    for f, allowed in zip(flags, itself):
        f.allow_tf32 = allowed


def test_devices_are_seeded_where_there_is_one():
    seeded = []
    was, torch.cuda.manual_seed_all = torch.cuda.manual_seed_all, seeded.append
    for line, wanted in ("lib reference p", []), ("--cuda lib reference p", [7]):
        options, _ = parse(line.split())
        configure(options)
        seed_generators(7)
        drawn = torch.rand(3)
        assert seeded == wanted, (line, seeded)
        assert torch.equal(drawn, torch.rand(3, generator=torch.Generator()
                                             .manual_seed(7))), line
    torch.cuda.manual_seed_all = was


def test_command_lines_that_make_no_sense():
    for line in ("", "lib", "lib reference", "lib candidate p",
                 "lib reference p c", "lib judge p", "--cuda",
                 "--precision lib reference p", "--precision fp8 lib reference p",
                 "--tf32 yes lib reference p", "--mode compile lib reference p",
                 "--cudas lib reference p", "--facts lib reference p",
                 "--mode cudagraphs lib candidate p c", "lib reference p --cuda"):
        assert parse(line.split()) is None, line


def make_reference():
    options, _ = parse(["lib", "reference", "p.py"])
    return Reference(Recorder(), options, "p.py")


@contextlib.contextmanager
def replaced(names, name, value):
    """In a dictionary, for as long as this lasts."""
    had, old = name in names, names.get(name)
    names[name] = value
    try:
        yield
    finally:
        names.pop(name, None)
        if had:
            names[name] = old


def test_master_slots_run_the_module_as_it_was_written():
    reference = make_reference()
    reference.model, reference.fast = "model", "compiled"
    assert reference.callable_for(0) == "compiled"
    assert reference.callable_for(MASTER - 1) == "compiled"
    assert reference.callable_for(MASTER) == "model"
    reference.fast = None
    assert reference.callable_for(0) == "model"


def test_a_call_in_float64_leaves_nothing_for_the_next():
    reference = make_reference()
    reference.model = torch.nn.Identity()
    reference.lib.slot_count = lambda: 3
    reference.mend = lambda leaves: None
    made, calls = [], []

    def new(*_):
        tensor = torch.ones(4)
        made.append(weakref.ref(tensor))
        return [tensor]

    def draw_inputs(stream):
        calls.append((stream, [ref() for ref in made if ref() is not None]))
        return None, new()

    reference.draw_inputs = draw_inputs
    reference.call_once = reference.call_exactly = new
    errors = reference.measure_errors()
    assert calls == [(0, []), (1, []), (2, [])], calls
    assert len(made) == 9
    assert errors[0].numbers() == (0.0, 0.0, 1.0, 1.0), errors[0].numbers()


def test_compiled_code_draws_what_the_module_draws():
    class Compiler(types.ModuleType):
        fallback_random = False

        def compile(self, model, **how):
            self.asked = model, how, self.fallback_random
            return lambda *inputs: [model, *inputs]

    inductor = Compiler("torch._inductor.config")
    steps = []
    compiler = types.SimpleNamespace(
        cudagraph_mark_step_begin=lambda: steps.append(1))
    reference = make_reference()
    reference.model = "model"
    with replaced(sys.modules, "torch._inductor.config", inductor), \
            replaced(vars(torch), "compile", inductor.compile), \
            replaced(vars(torch), "compiler", compiler):
        fast = reference.compile(mode="default")
    assert inductor.asked == ("model", {"mode": "default"}, True)
    assert not steps
    assert fast(1, 2) == ["model", 1, 2] and len(steps) == 1


def test_torch_that_cannot_compile_is_refused():
    reference = make_reference()
    with replaced(vars(torch), "compile", None):
        del torch.compile
        try:
            reference.compile(mode="default")
        except Unsupported as error:
            assert str(error) == "torch %s cannot compile" % torch.__version__
        else:
            assert False, "it compiled"


COMPILER = "torch._inductor.async_compile", "torch._inductor.compile_fx"


def importing_by(function):
    """What imports modules by name, for as long as this lasts."""
    return replaced(vars(kb_torch_worker.importlib), "import_module", function)


def test_only_a_compiled_reference_brings_the_compiler_with_it():
    wanted = []
    with importing_by(wanted.append):
        for mode, brought in (("eager", ()), ("cudagraphs", COMPILER),
                              ("compile:default", COMPILER),
                              ("compile:max-autotune", COMPILER)):
            options, _ = parse(["--cuda", "--mode", mode, "lib", "reference",
                                "p.py"])
            wanted.clear()
            Reference(Recorder(), options, "p.py")
            assert tuple(wanted) == brought, (mode, wanted)


def test_a_candidate_that_names_the_compiler_brings_it_with_it():
    wanted = []
    with importing_by(wanted.append), tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "c.py")
        options, _ = parse(["--cuda", "lib", "candidate", "-", path])
        for text, brought in ((None, ()), ("m = compile(m)\n", ()),
                              ("m = torch.compile(m)\n", COMPILER)):
            if text:
                with open(path, "w") as file:
                    file.write(text)
            wanted.clear()
            Candidate(Recorder(), options, "-", path)
            assert tuple(wanted) == brought, (text, wanted)


def test_a_compiler_that_cannot_be_imported_is_left_to_torch():
    def fails(name):
        raise ImportError(name)

    with importing_by(fails):
        kb_torch_worker.import_compiler()


def load_candidate(open_blas, ranks=1, text="g = torch.cuda.CUDAGraph()\n"):
    """What its load() does, in that order, and what it raises."""
    worker = make_worker()
    worker.ranks = types.SimpleNamespace(
        count=ranks, join=lambda: said.append("join"))
    said = worker.lib.said
    worker.where.open = lambda: said.append("open")
    worker.import_file = lambda name, path: (
        said.append(name) or types.SimpleNamespace(ModelNew=None))
    worker.build = lambda *arguments: None
    worker.settle = lambda: None
    cuda = vars(torch.cuda)
    with tempfile.NamedTemporaryFile("w") as file, \
            replaced(cuda, "current_blas_handle", lambda: open_blas(said)), \
            replaced(cuda, "synchronize", lambda: said.append("waited")), \
            replaced(vars(torch.nn.functional), "conv2d",
                     lambda x, weight: said.append("conv")):
        print(text, file=file, flush=True)
        worker.candidate_path = file.name
        return said, raises(worker.load)


def test_libraries_are_open_before_a_candidate_is_loaded():
    said, error = load_candidate(lambda said: said.append("blas"))
    assert error is None, error
    assert said[1:] == ["open", "blas", "conv", "waited", "join",
                        "kb_candidate", "compiling"], said


def test_who_records_no_graph_has_no_convolutions_before_its_own():
    for text, records in (
            ("y = triton.jit(f)", False), ("m = torch.compile(m)", False),
            ("torch.cuda.make_graphed_callables(m, x)", True),
            ("at::cuda::CUDAGraph g; g.capture_begin();", True),
            ("cudaStreamBeginCapture(s, mode);", True),
            ("m = torch.compile(m, mode='reduce-overhead')", True),
            ("m = torch.compile(m, mode='max-autotune')", True)):
        said, error = load_candidate(lambda said: said.append("blas"),
                                     text=text)
        assert error is None, error
        assert ("conv" in said) == records, text


def test_ranks_have_no_convolutions_that_they_do_not_ask_for():
    said, error = load_candidate(lambda said: said.append("blas"), ranks=2)
    assert error is None, error
    assert said[1:] == ["open", "blas", "waited", "join", "kb_candidate",
                        "compiling"], said


def segment(kind, stream=0, **more):
    return {"segment_type": kind, "stream": stream, **more, "blocks": [
        {"size": 3 << 20, "state": "inactive"},
        {"size": 5 << 20, "state": "active_allocated"},
        {"size": 512, "state": "inactive"},
        {"size": 4 << 20, "state": "active_pending_free"}]}


def test_memory_that_a_reference_leaves_is_spoilt():
    """Of blocks of other streams and pools, or too small for where they lie, torch
    would make no tensor of their size: it would ask for more memory."""
    filled = []
    snapshot = [segment("large"), segment("small"), segment("large", stream=7),
                segment("large", segment_pool_id=(0, 1)),
                segment("large", segment_pool_id=(0, 0))]
    device = make_worker().where
    with replaced(vars(torch.cuda), "current_stream",
                  lambda: types.SimpleNamespace(cuda_stream=0)), \
            replaced(vars(torch.cuda), "memory_snapshot", lambda: snapshot), \
            replaced(vars(torch), "full",
                     lambda shape, value, **_: filled.append((shape, value))):
        device.spoil()
        assert filled == [([3 << 20], 255)] * 2 + [([512], 255)], filled
        snapshot.append({})
        device.spoil()


def frame_in(path, name):
    made = {}
    exec(compile("def %s(look):\n    return look()\n" % name, path, "exec"),
         made)
    return made[name](sys._getframe)


def test_loading_a_kernel_is_not_compiling_it():
    """An endless kernel is waited for by whoever loads the next one."""
    path = "/any/triton/compiler/compiler.py"
    assert compiles(frame_in(path, "compile"))
    assert not compiles(frame_in(path, "_init_handles"))
    assert not compiles(frame_in("/any/candidate.py", "_init_handles"))


def test_libraries_that_cannot_be_opened_are_not_its_fault():
    def fails(said):
        raise RuntimeError("no handle")

    said, error = load_candidate(fails)
    assert error.code == "KB_ACK_CODE_COUNT" and str(error) == "no handle"
    assert "kb_candidate" not in said, said


sys.exit(run_tests(globals(), torch.no_grad))
