"""The two workers: a reference and a candidate."""

import contextlib
import copy
import functools
import gc
import importlib
import json
import re

import torch

from kb_torch_calls import (candidate_class, construct, enter_mode,
                            flatten_result, import_file, number_dtype,
                            put_together, seed_generators, take_apart,
                            tensor_bytes)
from kb_torch_compiling import watched
from kb_torch_cuda import Device
from kb_torch_draws import Draws
from kb_torch_errors import (Refused, Unsupported, headline, printable,
                             say)
from kb_torch_failures import repeat_failures
from kb_torch_host import Host, anew, host_tensor, strides_of
from kb_torch_library import Spec
from kb_torch_options import MODES, PRECISIONS
from kb_torch_pkb import Rules
from kb_torch_ranks import Ranks
from kb_torch_fp64 import Errors, wide_floats, widen, widened
from kb_torch_recording import Recordings
from kb_torch_state import State, same
from kb_torch_sources import keep_sources


def tell_left(names):
    if names:
        more = " and %d more" % (len(names) - 4) if len(names) > 4 else ""
        say("kb: weights of the reference that were not copied, since "
            "state_dict() has none of that name, shape and type: %s%s\n"
            % (", ".join(map(printable, names[:4])), more))


class Worker:
    """What reference and candidate have in common."""

    LOAD_FD_COUNT = 3  # control page, plan, state
    RUNS_A_COLLECTION = 8  # of everything

    def __init__(self, library, options):
        number = library.number
        names = ("float64", "float32", "float16", "bfloat16", "int64",
                 "int32", "int16", "int8", "uint8", "bool", "float8_e4m3fn",
                 "float8_e5m2")
        self.lib = library
        self.dtypes = {number("KB_" + n.upper()): getattr(torch, n)
                       for n in names if hasattr(torch, n)}
        self.dtype_numbers = {t: n for n, t in self.dtypes.items()}
        self.is_scalar = number("KB_TENSOR_IS_SCALAR")
        self.ranks = Ranks(options)
        self.conventions = options.conventions
        self.keeps_weights = options.candidate_weights == "own"
        self.precision = getattr(torch, PRECISIONS[options.precision])
        self.where = Device(self) if options.cuda else Host(self)
        self.model = None
        self.state = None  # what is put back before each run
        self.nesting = None  # how the inputs nest in the arguments
        self.numbers = []  # is this input a plain number?
        self.is_plain = False  # the inputs as they are, by position
        self.input_shapes = []  # and types, as shape_of() has them
        self.input_strides = []  # None: contiguous
        self.is_random = False  # a call draws numbers
        self.output_shapes = []
        self.slots = {}  # tensors of the inputs, places for the outputs
        self.run_count = 0

    def import_file(self, name, path):
        return import_file(name, path, self.lib.seed_number())

    def build(self, model_class, problem):
        """On the CPU first, as KernelBench does: each way in which a candidate
        may make its weights draws the reference's numbers there. With a device
        as torch's default torch.empty() is on it, and torch.Tensor() is not."""
        model = construct(model_class, problem, self.lib.seed_number(),
                          self.ranks.named)
        model = enter_mode(self.where.adopt(model), self.conventions)
        if problem is None or self.precision == torch.float32:
            return model  # a native problem says itself what its types are
        return model.to(self.precision)

    def rules(self, problem):
        """Of a suite whose problems are called by other rules; else None."""
        if self.conventions != "pkb":
            return None
        return Rules(problem, self.ranks, self.precision, self.where.device())

    def spec(self, dtype, shape, flags=0):
        """Raises KeyError for a type that the protocol does not know. More
        dimensions than fit are for the library to refuse."""
        spec = Spec(dtype=self.dtype_numbers[dtype], ndim=len(shape),
                    flags=flags)
        for i, n in enumerate(shape[:len(spec.dims)]):
            spec.dims[i] = n
        return spec

    def shape_of(self, spec):
        """The inverse, of a pointer: type and shape."""
        spec = spec[0]
        if spec.dtype not in self.dtypes:
            raise Unsupported("torch %s has not all types of the problem"
                              % torch.__version__)
        return self.dtypes[spec.dtype], tuple(spec.dims[:spec.ndim])

    def state_view(self, i):
        return host_tensor(*self.shape_of(self.lib.state_spec(i)),
                           self.lib.state_data(i))

    def settle(self):
        """Plan and state are there: take what we need of them."""
        inputs = [self.lib.input_spec(i)
                  for i in range(self.lib.input_count())]
        outputs = [self.lib.output_spec(i)
                   for i in range(self.lib.output_count())]
        self.numbers = [bool(spec[0].flags & self.is_scalar)
                        for spec in inputs]
        self.input_shapes = [self.shape_of(spec) for spec in inputs]
        self.output_shapes = [self.shape_of(spec) for spec in outputs]
        self.nesting = ["list"] + [0] * len(inputs)
        self.input_strides = [None] * len(inputs)
        self.take_state()
        self.is_plain = (True not in self.numbers
                         and self.nesting == ["list"] + [0] * len(inputs))

    def take_state(self):
        """The reference's values, where name, shape and type agree, unless
        a candidate is to keep what it made under the seed."""
        notes = {}
        for i in range(self.lib.state_count()):
            name = self.lib.state_name(i).decode()
            if name.startswith("#"):
                notes[name] = json.loads(bytes(self.state_view(i).tolist()))
        self.nesting = notes.get("#inputs", self.nesting)
        self.input_strides = notes.get("#strides", self.input_strides)
        self.is_random = notes.get("#random", False)
        if not self.keeps_weights:
            tell_left(self.take_tensors(self.model.state_dict()))
        kept = notes.get("#kept")
        self.state = State(self.model, kept) if kept else None

    def take_tensors(self, own):
        """Returns the names of those that have no place in `own`."""
        left = []
        for i in range(self.lib.state_count()):
            name = self.lib.state_name(i).decode()
            mine = own.get(name)
            value = self.state_view(i)
            if (isinstance(mine, torch.Tensor) and mine.shape == value.shape
                    and mine.dtype == value.dtype):
                mine.copy_(value)
            elif not name.startswith("#"):
                left.append(name)
        return left

    def map_pool(self):
        self.where.map_pool()

    def map_slot(self):
        self.lib.slot_map()

    def slot(self, slot):
        """Tensors of its inputs, and places for its outputs. They are made
        once, as a slot is mapped once."""
        if slot not in self.slots:
            inputs = [self.where.tensor(dtype, shape,
                                        self.lib.input_data(slot, i), strides)
                      for i, ((dtype, shape), strides) in enumerate(
                          zip(self.input_shapes, self.input_strides))]
            self.slots[slot] = inputs, self.where.outputs(slot)
        return self.slots[slot]

    def inputs(self, slot):
        return [anew(tensor) for tensor in self.slot(slot)[0]]

    def prepare(self, slot):
        """A call to make: (args, kwargs, inputs, outputs), the first two
        None if they hold numbers, which may be read only when the gate is
        open. Inputs are made anew for each run, so that what a call does to
        these objects ends with it."""
        inputs = self.inputs(slot)
        args = kwargs = None
        if True not in self.numbers:
            args, kwargs = self.arguments(inputs)
        return args, kwargs, inputs, self.slot(slot)[1]

    def arguments(self, inputs):
        if self.is_plain:
            return inputs, {}
        leaves = [tensor.item() if is_number else tensor
                  for tensor, is_number in zip(inputs, self.numbers)]
        value = put_together(self.nesting, iter(leaves))
        return ((), value) if isinstance(value, dict) else (value, {})

    def call_all(self, model, calls):
        """The timed part."""
        number, put = self.where.number, self.where.put
        check_fit, tensor = self.check_fit, torch.Tensor
        for args, kwargs, inputs, outputs in calls:
            if args is None:
                args, kwargs = self.arguments(inputs)
            flat = [model(*args, **kwargs)]
            if type(flat[0]) is not tensor:
                flatten_result(flat.pop(), flat, number)
            check_fit(flat, outputs, "output")
            for i, place in enumerate(outputs):
                put(flat, i, place)

    def check_fit(self, flat, places, noun):
        if len(flat) != len(places):
            raise self.wrong("SHAPE", "%d %ss, not %d" % (
                len(flat), noun, len(places)))
        first = len(places) * self.ranks.rank  # numbered over all ranks
        for i, (got, place) in enumerate(zip(flat, places), first):
            if got.shape != place.shape:
                raise self.wrong("SHAPE", "%s %d has shape %s, not %s" % (
                    noun, i, tuple(got.shape), tuple(place.shape)))
            if got.dtype != place.dtype:
                raise self.wrong("DTYPE", "%s %d is %s, not %s" % (
                    noun, i, got.dtype, place.dtype))

    def wrong(self, what, why):
        return self.refusal("WRONG_" + what, why)

    def refusal(self, ack, why):
        return Refused(self.lib.number("KB_ACK_" + ack), why)

    def requested_slots(self):
        self.lib.slots_check()
        first = self.lib.first_slot()
        return range(first, first + self.lib.slot_count())

    def callable_for(self, slot):
        return self.model

    def is_gate(self, name):
        return self.lib.gate_of_request() == self.lib.number(name)

    def check_gate(self):
        if not self.is_gate("KB_GATE_STREAM"):
            return
        if True in self.numbers:
            raise self.refusal("NO_GATE", "an input is a plain number, which "
                               "can be read only when the gate is open")
        if self.is_random:
            raise self.refusal("NO_GATE", "a call draws random numbers, whose "
                               "seed is there only when the gate is open")

    def run(self, acknowledge_queued):
        slots = self.requested_slots()
        self.check_gate()
        self.where.forget(slots.start)
        model = self.callable_for(slots.start)
        if self.state:
            self.state.put_back()
        calls = [self.prepare(slot) for slot in slots]
        seeds_late = self.is_gate("KB_GATE_HOST")
        if not seeds_late:
            seed_generators(self.lib.seed_number())

        def timed():
            if seeds_late:
                seed_generators(self.lib.seed_number())
            self.call_all(model, calls)

        self.collect_garbage()
        gc.disable()
        try:
            self.where.run(timed, acknowledge_queued)
        finally:
            gc.enable()

    def count_kernels(self):
        """A run behind no gate, if there is anything to count it with."""
        try:
            if self.lib.kernels_begin():
                self.run(None)
                self.lib.kernels_end()
        finally:
            self.lib.kernels_drop()

    def collect_garbage(self):
        """Cycles may hold outputs of the last run. What has lived for longer
        is looked through less often: it can be all that a compiler is made
        of, which takes longer than the run."""
        self.run_count += 1
        gc.collect(1 if self.run_count % self.RUNS_A_COLLECTION else 2)

    def try_call(self):
        raise self.refusal("CODE_COUNT", "no screen is asked to try a call")

    def generate(self):
        raise self.refusal("CODE_COUNT", "a candidate is asked for inputs")

    def fp64_error(self):
        raise self.refusal("CODE_COUNT",
                           "a candidate is asked for an fp64 error")


def import_compiler():
    """What torch.compile() imports when something is compiled first, with the
    processes that it starts then: that takes seconds, but no device and no
    problem. If it fails, torch.compile() will say so of the problem."""
    for name in "torch._inductor.async_compile", "torch._inductor.compile_fx":
        with contextlib.suppress(Exception):
            importlib.import_module(name)


class Reference(Worker):
    def __init__(self, library, options, problem_path):
        super().__init__(library, options)
        if MODES[options.mode]:
            import_compiler()
        self.problem_path = problem_path
        self.mode = options.mode
        self.alternate = options.alternate
        self.fast = None
        self.draws = Draws(library, self)
        self.recordings = Recordings(self) if options.cuda else None

    def load(self):
        self.open()
        self.load_problem()

    def open(self):
        self.lib.load(self.LOAD_FD_COUNT)
        self.where.open()
        self.ranks.join()
        self.ranks.share_groups()

    def load_problem(self):
        with self.where.building(), self.draws.installed():
            problem = self.import_file("kb_problem", self.problem_path)
        self.take_problem(problem, self.rules(problem))
        if MODES[self.mode]:
            self.fast = self.compile(**MODES[self.mode])
        self.nesting, leaves = self.draw_inputs(0)
        self.check_alternate(leaves)
        for leaf in leaves:
            self.lib.input_add(self.leaf_spec(leaf, "an input"))
        self.publish(leaves)

    def take_problem(self, problem, rules):
        if rules:
            self.model = self.build(rules.model_of(problem.solution), problem)
            self.call_get_inputs = functools.partial(self.draw_by, rules)
            self.recordings = None
        else:
            self.model = self.build(problem.Model, problem)
            self.get_inputs = problem.get_inputs

    def compile(self, **how):
        if not hasattr(torch, "compile"):
            raise Unsupported("torch %s cannot compile" % torch.__version__)
        # Random numbers of the compiler's own could not be compared.
        inductor = importlib.import_module("torch._inductor.config")
        inductor.fallback_random = True
        compiled = torch.compile(self.model, **how)
        next_step = torch.compiler.cudagraph_mark_step_begin

        def call(*args, **kwargs):
            next_step()  # what the last call returned may be overwritten
            return compiled(*args, **kwargs)

        return call

    def callable_for(self, slot):
        """What is expected comes from the module as it was written."""
        if self.fast and slot < self.lib.number("KB_MASTER_SLOT"):
            return self.fast
        return self.model

    def draw_inputs(self, stream):
        """The arguments of one call, as take_apart() gives them."""
        return self.call_get_inputs(self.draws.stream(stream))

    def record_inputs(self, call):
        """The same, while the device records what it is asked to do."""
        return self.call_get_inputs(self.draws.recording(call))

    def call_get_inputs(self, numbers):
        leaves = []
        with self.where.building(), self.draws.installed(), numbers:
            inputs = self.get_inputs(**self.ranks.named(self.get_inputs))
        if not isinstance(inputs, (list, tuple, dict)):
            inputs = [inputs]
        nesting = take_apart(inputs, leaves)
        return nesting, [self.adopt_input(leaf) for leaf in leaves]

    def draw_by(self, rules, numbers):
        """The rules seed torch's generators, and say of what type tensors are."""
        with self.draws.installed(), numbers:
            trial = rules.common_trial()
        leaves = [leaf.contiguous() for leaf in rules.draw(trial)]
        return take_apart(leaves, []), leaves

    def adopt_input(self, leaf):
        if not isinstance(leaf, torch.Tensor):
            return leaf
        leaf = self.where.adopt(leaf)
        if (self.precision == torch.float32 or not leaf.is_floating_point()
                or leaf.element_size() < 2):  # 8 bits were chosen on purpose
            return leaf
        return leaf.to(self.precision)

    def check_alternate(self, leaves):
        for i in self.alternate:
            if not (0 <= i < len(leaves)
                    and isinstance(leaves[i], torch.Tensor)
                    and leaves[i].is_floating_point()
                    and leaves[i].element_size() > 1):
                raise Unsupported("alternate input %d is no tensor that "
                                  "can be scaled" % i)

    def mend(self, tensors):
        """In place, if the supervisor asks for it."""
        if self.lib.alternate():
            for i, (scale, shift) in self.alternate.items():
                tensors[i].mul_(scale).add_(shift)

    def leaf_spec(self, leaf, noun):
        try:
            if isinstance(leaf, torch.Tensor):
                return self.spec(leaf.dtype, leaf.shape)
            return self.spec(number_dtype(leaf), (), self.is_scalar)
        except KeyError:
            raise Unsupported("%s is %s, a type that kb does not judge"
                              % (noun, leaf.dtype)) from None

    def publish(self, leaves):
        """Write the plan and the state. The outputs are known by a first
        call; what it does to the state is undone."""
        tensors = self.expressible_state()
        state = State(self.model)
        notes = {b"#inputs": json.dumps(self.nesting).encode(),
                 b"#kept": b" " * len(json.dumps(list(state.kept))),
                 b"#random": b"false"}
        strides = [strides_of(leaf) if isinstance(leaf, torch.Tensor) else None
                   for leaf in leaves]
        if any(strides):
            notes[b"#strides"] = json.dumps(strides).encode()
        for name, tensor in tensors:
            self.lib.state_add(name.encode(),
                               self.spec(tensor.dtype, tensor.shape))
        for name, note in notes.items():
            self.lib.state_add(name, self.spec(torch.uint8, [len(note)]))
        self.lib.state_map()
        for i, (_, tensor) in enumerate(tensors):
            self.state_view(i).copy_(tensor)

        outputs = self.call_once(self.model, leaves)
        if not outputs:
            raise Unsupported("forward() returned nothing to compare")
        if self.ranks.any(self.has_drawn()):
            notes[b"#random"] = b"true "
        kept = json.dumps(self.find_kept(state, outputs)).encode()
        notes[b"#kept"] = kept.ljust(len(notes[b"#kept"]))
        for i, note in enumerate(notes.values(), len(tensors)):
            self.state_view(i).copy_(torch.tensor(list(note),
                                                  dtype=torch.uint8))
        for output in outputs:
            self.lib.output_add(self.leaf_spec(output, "an output"))
        self.lib.publish()
        self.settle()

    def has_drawn(self):
        """Has the call before this changed a generator?"""
        after = self.where.generator_states()
        seed_generators(self.lib.seed_number())
        return after != self.where.generator_states()

    def find_kept(self, state, outputs):
        """Names of what forward() changes in the module, if what it returns
        depends on that and is the same when that is put back. A cache that it
        fills in is none of this."""
        if not self.ranks.any(state.keep_changed()):
            return []
        outputs = [output.clone() for output in outputs]  # may be its state
        self.restore(state)
        state.put_back()
        if self.ranks.any(not same(outputs, self.call_anew())):
            return []  # it is not these that tell its calls apart
        if not self.ranks.any(not same(outputs, self.call_anew())):
            return []
        self.restore(state)
        state.put_back()
        return list(state.kept)

    def restore(self, state):
        """Parameters, of which no copy was made."""
        self.take_tensors(self.model.state_dict())
        for kept in state.kept.values():
            if kept.copy is None:
                kept.renew()

    def call_anew(self):
        """The first call again, which may have written to its inputs."""
        return self.call_once(self.model, self.draw_inputs(0)[1])

    def expressible_state(self):
        """What the protocol cannot say stays as each side built it."""
        number = self.lib.number
        return [(name, value)
                for name, value in self.model.state_dict().items()
                if isinstance(value, torch.Tensor)
                and value.layout == torch.strided
                and value.dtype in self.dtype_numbers
                and value.dim() <= number("KB_DIMS_MAX")
                and 0 < len(name.encode()) < number("KB_STATE_NAME_BYTES")
                and not name.startswith("#")]

    def generate(self):
        slots = self.requested_slots()
        recordings = self.recordings
        if not recordings:
            self.fill(slots)
        elif not recordings.make(slots):
            self.fill(slots)
            if not recordings.learn(slots):
                self.fill(slots)
        self.where.settle()

    def fill(self, slots):
        """By a call of get_inputs() for each."""
        for stream, slot in enumerate(slots):
            places = self.inputs(slot)
            flat = self.fitting(*self.draw_inputs(stream), places)
            for got, place in zip(flat, places):
                place.copy_(got)
            self.mend(places)

    def fitting(self, nesting, leaves, places):
        """The leaves as tensors that fit these places."""
        flat = []
        if nesting != self.nesting:
            raise self.wrong("SHAPE", "get_inputs() returned %s, before "
                             "it was %s" % (nesting, self.nesting))
        flatten_result(leaves, flat, self.where.number)
        self.check_fit(flat, places, "input")
        return flat

    def input_bytes(self):
        """Of one call."""
        return sum(tensor_bytes(*shape) for shape in self.input_shapes)

    def fp64_error(self):
        """Whatever the code does not do in float64 is no failure of it."""
        why = None
        try:
            for i, errors in self.measure_errors().items():
                self.lib.fp64_error_output(i, *errors.numbers())
        except Exception as error:
            why = headline(error).encode("ascii", "replace")
        gc.collect()
        self.where.settle()
        self.where.tidy()
        self.lib.fp64_error_publish(why)

    def measure_errors(self):
        """By output, of those that are floats. What calls do to the module
        they do to copies."""
        if self.state:
            self.state.put_back()
        plain = copy.deepcopy(self.model)
        exact = widen(copy.deepcopy(self.model))
        errors = {}
        for stream in range(self.lib.slot_count()):
            self.add_errors(errors, plain, exact, stream)
        return errors

    def add_errors(self, errors, plain, exact, stream):
        """Those of one call, of which nothing is left for the next: its
        tensors may be half of what there is room for."""
        _, leaves = self.draw_inputs(stream)
        leaves = [leaf.clone() if i in self.alternate else leaf
                  for i, leaf in enumerate(leaves)]
        self.mend(leaves)  # not what get_inputs() may return again
        expected = self.call_exactly(exact, leaves)
        got = self.call_once(plain, leaves)
        if ([value.shape for value in got]
                != [value.shape for value in expected]):
            raise Unsupported("its outputs have other shapes in float64")
        for i, value in enumerate(got):
            if value.is_floating_point():
                errors.setdefault(i, Errors()).add(value, expected[i])

    def call_once(self, function, leaves):
        """The outputs of one call, the generators as for a run."""
        value = put_together(self.nesting, iter(leaves))
        seed_generators(self.lib.seed_number())
        result = (function(**value) if isinstance(value, dict)
                  else function(*value))
        flat = []
        flatten_result(result, flat, self.where.number)
        return flat

    def call_exactly(self, model, leaves):
        """In float64, by the module's plain definition if it has one beside
        what it leaves to a library."""
        function = getattr(model, "forward_plain", model)
        leaves = [widened(leaf, copied=True) for leaf in leaves]
        with wide_floats(self.precision):
            return self.call_once(function, leaves)


def asks_for_compiler(path):
    """Does this file name torch.compile()? It has not run, so that it may do
    without, or call it by another name: that costs time, and nothing else."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return b"torch.compile" in file.read()
    return False


# By which a candidate in Python or C++ records CUDA graphs, or has torch do so.
RECORDS = re.compile(rb"graph|capture|reduce-overhead|max-autotune", re.IGNORECASE)


def names_graphs(path):
    """Does this file name CUDA graphs? One that records them without has no handles
    of libraries but those that it has made itself, as in any process."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return bool(RECORDS.search(file.read()))
    return False


class Candidate(Worker):
    def __init__(self, library, options, problem_path, candidate_path):
        super().__init__(library, options)
        if asks_for_compiler(candidate_path):
            import_compiler()
        self.problem_path = problem_path
        self.candidate_path = candidate_path

    def load(self):
        self.lib.load(self.LOAD_FD_COUNT)
        self.where.open()
        self.where.open_libraries(names_graphs(self.candidate_path))
        self.ranks.join()
        self.take_code()

    def take_code(self):
        with watched(self.lib.compiling):
            self.load_code()
        self.settle()

    def run(self, acknowledge_queued):
        if self.run_count:
            super().run(acknowledge_queued)
            return
        with watched(self.lib.compiling):
            super().run(acknowledge_queued)

    def load_code(self):
        problem = None
        if self.problem_path != "-":
            problem = self.import_file("kb_problem", self.problem_path)
        keep_sources()
        repeat_failures()
        rules = self.rules(problem)
        module = self.import_file("kb_candidate", self.candidate_path)
        model = (rules.model_of(module.solution) if rules else
                 candidate_class(module, self.conventions))
        self.model = self.build(model, problem)
