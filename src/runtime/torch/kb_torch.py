"""The torch runtime: runs a problem or a candidate in KernelBench's format.

    kb_torch.py [OPTION]... LIBKBRT reference PROBLEM
    kb_torch.py [OPTION]... LIBKBRT candidate PROBLEM CANDIDATE

    --cuda                      on the CUDA device, not the CPU
    --precision fp32|fp16|bf16  of a problem's modules and inputs
    --tf32 off|on               may CUDA use it in place of float32?
    --deterministic off|on      only algorithms that torch says are
    --mode MODE                 how a reference is run where it is timed:
                                eager, compile:default, cudagraphs, ...
    --remedy INPUT:SCALE:SHIFT[,...]
                                what becomes of a reference's inputs where the
                                supervisor asks for remedied ones

Both are workers: they speak src/worker/protocol.h through LIBKBRT, the library
that all runtimes share, and never with anybody else. A PROBLEM of "-" stands
for one that is not in Python: its ModelNew is built without arguments.
kb-torch(7) tells people what this program expects of files.

Nothing that a candidate does to this process can make a wrong result right:
clock, seeds and comparison are the supervisor's.
"""

import contextlib
import copy
import ctypes
import faulthandler
import functools
import gc
import importlib.util
import json
import math
import os
import random
import sys
import traceback
import types
import warnings

try:
    import torch
    torch_error = None
except Exception as error:  # a broken installation raises what it likes
    torch = None
    torch_error = str(error)


# --- the shared library --------------------------------------------------


class Spec(ctypes.Structure):
    """struct kb_tensor_spec; Library checks the size."""

    _fields_ = [
        ("dtype", ctypes.c_uint32),
        ("ndim", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("dims", ctypes.c_uint64 * 8),
    ]


class Refused(Exception):
    """Ends what the worker was asked for with this ack; says why."""

    def __init__(self, code, why):
        super().__init__(why)
        self.code = code


class Unsupported(Exception):
    """The problem is none that the protocol can express."""


class Library:
    """runtime/lib/kbrt.h. Functions keep their names, less "kbrt_"."""

    INT, U32, U64 = ctypes.c_int, ctypes.c_uint32, ctypes.c_uint64
    POINTER, TEXT = ctypes.c_void_p, ctypes.c_char_p
    SPEC = ctypes.POINTER(Spec)
    DRAW = [POINTER, SPEC, U32, ctypes.c_double, ctypes.c_double, U32, U32]

    # Result and arguments after the handle. These do not fail.
    FACTS = {
        "first_slot": [U32],
        "slot_count": [U32],
        "gate_of_request": [U32],
        "remedied": [ctypes.c_bool],
        "seed_number": [U64],
        "input_count": [U32],
        "output_count": [U32],
        "input_spec": [SPEC, U32],
        "output_spec": [SPEC, U32],
        "state_count": [U32],
        "state_name": [TEXT, U32],
        "state_spec": [SPEC, U32],
        "state_data": [POINTER, U32],
        "input_data": [POINTER, U32, U32],
        "output_data": [POINTER, U32, U32],
        "output_at": [ctypes.c_bool, U32, U32, U64, U64],
        "oracle_output": [None, U32] + [ctypes.c_double] * 4,
        "gate_done": [None],
    }

    # Arguments between the handle and the error. These do.
    ACTIONS = {
        "receive": [],
        "ack": [U32],
        "load": [U32],
        "input_add": [SPEC],
        "output_add": [SPEC],
        "state_add": [TEXT, SPEC],
        "state_map": [],
        "publish": [],
        "slot_map": [],
        "slots_check": [],
        "oracle_publish": [TEXT],
        "gate_wait": [],
        "gate_wait_release": [],
        "draw": DRAW,
        "cuda_open": [],
        "draw_on_device": DRAW,
        "heap_map": [],
        "stream_gate_wait": [],
        "stream_gate_done": [],
        "device_sync": [],
    }

    def __init__(self, path):
        self.path = path
        self.c = ctypes.CDLL(path)
        self.c.kbrt_number.restype = ctypes.c_int64
        self.c.kbrt_new.restype = self.POINTER
        self.c.kbrt_err.restype = self.POINTER
        self.c.kbrt_err.argtypes = [self.POINTER]
        self.c.kbrt_err_text.restype = self.TEXT
        self.c.kbrt_err_text.argtypes = [self.POINTER]
        self.c.kbrt_code_of.argtypes = [self.POINTER]
        if self.number("sizeof(struct kb_tensor_spec)") != ctypes.sizeof(Spec):
            raise ImportError("%s is not for this program" % path)

        self.handle = self.c.kbrt_new(self.number("KB_CHANNEL_FD"))
        self.error = self.c.kbrt_err(self.handle)
        for name, (result, *arguments) in self.FACTS.items():
            function = getattr(self.c, "kbrt_" + name)
            function.restype = result
            function.argtypes = [self.POINTER] + arguments
            setattr(self, name, functools.partial(function, self.handle))
        for name, arguments in self.ACTIONS.items():
            function = getattr(self.c, "kbrt_" + name)
            function.restype = self.INT
            function.argtypes = [self.POINTER] + arguments + [self.POINTER]
            setattr(self, name, functools.partial(self.act, function))

    def number(self, name):
        value = self.c.kbrt_number(name.encode())
        if value < 0:
            raise AttributeError(name)
        return value

    def act(self, function, *arguments):
        result = function(self.handle, *arguments, self.error)
        if result < 0:
            raise Refused(self.c.kbrt_code_of(self.error),
                          self.c.kbrt_err_text(self.handle).decode())
        return result


# --- what a call is made of ----------------------------------------------


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


def seed_generators(value):
    """Every generator that code might use and that we can reach."""
    torch.manual_seed(value)
    random.seed(value)
    numpy = sys.modules.get("numpy")
    if numpy:
        numpy.random.seed(value % 2**32)


def import_file(name, path, seed):
    """A module, of which chance at its top level is the same for reference
    and candidate."""
    seed_generators(seed)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # inspect and triton look for it here
    spec.loader.exec_module(module)
    return module


def construct(model_class, problem, seed):
    """An instance, with the arguments that the problem says."""
    get_init_inputs = getattr(problem, "get_init_inputs", list)
    seed_generators(seed)
    init_inputs = get_init_inputs()
    seed_generators(seed)
    if isinstance(init_inputs, dict):
        return model_class(**init_inputs)
    return model_class(*init_inputs)


# --- where it runs -------------------------------------------------------


def host_tensor(dtype, shape, address):
    """The tensor at `address`, without a copy."""
    tensor = torch.empty(0, dtype=dtype)
    count = math.prod(shape)
    if not count:
        return tensor.view(shape)
    memory = ctypes.c_char * (count * tensor.element_size())
    return torch.frombuffer(memory.from_address(address), dtype=dtype,
                            count=count).view(shape)


class Host:
    """The CPU. The Device of kb_torch_cuda.py does the same on another, and
    has a heap."""

    tensor = staticmethod(host_tensor)

    def __init__(self, worker):
        self.worker = worker
        self.lib = worker.lib

    def open(self):
        """LOAD has come; no code has run yet."""

    def building(self):
        """For the time that code builds what it will compute with."""
        return contextlib.nullcontext()

    def adopt(self, thing):
        """A module or a tensor that was built, where it belongs."""
        return thing

    def number(self, value, dtype):
        return torch.tensor(value, dtype=dtype)

    def outputs(self, slot):
        """Places for what a call returns: they have a shape and a type."""
        return [self.tensor(*self.worker.shape_of(self.lib.output_spec(i)),
                            self.lib.output_data(slot, i))
                for i in range(self.lib.output_count())]

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
        self.lib.gate_done()
        self.lib.gate_wait_release()
        if failure is not None:
            raise failure


def load_device(worker):
    """The Device, from the file beside this one."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        "kb_torch_cuda.py")
    spec = importlib.util.spec_from_file_location("kb_torch_cuda", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Device(worker)


# --- what a worker is asked for ------------------------------------------


class Worker:
    """What reference and candidate have in common."""

    LOAD_FD_COUNT = 3  # control page, plan, state

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
        self.precision = getattr(torch, PRECISIONS[options.precision])
        self.where = load_device(self) if options.cuda else Host(self)
        self.model = None
        self.nesting = None  # how the inputs nest in the arguments
        self.numbers = []  # is this input a plain number?

    def import_file(self, name, path):
        return import_file(name, path, self.lib.seed_number())

    def build(self, model_class, problem):
        model = construct(model_class, problem, self.lib.seed_number())
        model = self.where.adopt(model)
        if problem is None or self.precision == torch.float32:
            return model  # a native problem says itself what its types are
        return model.to(self.precision)

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
        self.numbers = [bool(self.lib.input_spec(i)[0].flags & self.is_scalar)
                        for i in range(self.lib.input_count())]
        self.nesting = ["list"] + [0] * self.lib.input_count()
        self.take_state()

    def take_state(self):
        """The reference's values, where name, shape and type agree."""
        own = self.model.state_dict()
        for i in range(self.lib.state_count()):
            name = self.lib.state_name(i).decode()
            value = self.state_view(i)
            if name == "#inputs":
                self.nesting = json.loads(bytes(value.tolist()))
            mine = own.get(name)
            if (isinstance(mine, torch.Tensor) and mine.shape == value.shape
                    and mine.dtype == value.dtype):
                mine.copy_(value)

    def map_heap(self):
        self.where.map_heap()

    def map_slot(self):
        self.lib.slot_map()

    def inputs(self, slot):
        return [self.where.tensor(*self.shape_of(self.lib.input_spec(i)),
                                  self.lib.input_data(slot, i))
                for i in range(self.lib.input_count())]

    def prepare(self, slot):
        """A call to make: (args, kwargs, inputs, outputs), the first two
        None if they hold numbers, which may be read only when the gate is
        open. All is made anew for each run, so that what a call does to
        these objects ends with it."""
        inputs = self.inputs(slot)
        args = kwargs = None
        if not any(self.numbers):
            args, kwargs = self.arguments(inputs)
        return args, kwargs, inputs, self.where.outputs(slot)

    def arguments(self, inputs):
        leaves = [tensor.item() if is_number else tensor
                  for tensor, is_number in zip(inputs, self.numbers)]
        value = put_together(self.nesting, iter(leaves))
        return ((), value) if isinstance(value, dict) else (value, {})

    def call_all(self, model, calls):
        """The timed part."""
        number, put = self.where.number, self.where.put
        for args, kwargs, inputs, outputs in calls:
            if args is None:
                args, kwargs = self.arguments(inputs)
            flat = []
            flatten_result(model(*args, **kwargs), flat, number)
            self.check_fit(flat, outputs, "output")
            for i, place in enumerate(outputs):
                put(flat, i, place)

    def check_fit(self, flat, places, noun):
        if len(flat) != len(places):
            raise self.wrong("SHAPE", "%d %ss, not %d" % (
                len(flat), noun, len(places)))
        for i, (got, place) in enumerate(zip(flat, places)):
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

    def check_gate(self):
        if (any(self.numbers) and self.lib.gate_of_request()
                == self.lib.number("KB_GATE_STREAM")):
            raise self.refusal("NO_GATE", "an input is a plain number, which "
                               "can be read only when the gate is open")

    def run(self, acknowledge_queued):
        slots = self.requested_slots()
        self.check_gate()
        self.where.forget(slots.start)
        model = self.callable_for(slots.start)
        calls = [self.prepare(slot) for slot in slots]
        seed_generators(self.lib.seed_number())
        gc.collect()
        gc.disable()
        try:
            self.where.run(lambda: self.call_all(model, calls),
                           acknowledge_queued)
        finally:
            gc.enable()

    def generate(self):
        raise self.refusal("CODE_COUNT", "a candidate is asked for inputs")

    def oracle(self):
        raise self.refusal("CODE_COUNT", "a candidate is asked for an oracle")


class Reference(Worker):
    def __init__(self, library, options, problem_path):
        super().__init__(library, options)
        self.problem_path = problem_path
        self.mode = options.mode
        self.remedy = options.remedy
        self.fast = None
        self.draws = Draws(library, self)

    def load(self):
        self.lib.load(self.LOAD_FD_COUNT)
        self.where.open()
        with self.where.building():
            with self.draws.installed():
                problem = self.import_file("kb_problem", self.problem_path)
            self.model = self.build(problem.Model, problem)
        self.get_inputs = problem.get_inputs
        if MODES[self.mode]:
            self.fast = self.compile(**MODES[self.mode])
        self.nesting, leaves = self.draw_inputs(0)
        self.check_remedy(leaves)
        for leaf in leaves:
            self.lib.input_add(self.leaf_spec(leaf))
        self.publish(put_together(self.nesting, iter(leaves)))

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
        leaves = []
        with self.where.building(), self.draws.installed():
            with self.draws.stream(stream):
                inputs = self.get_inputs()
        if not isinstance(inputs, (list, tuple, dict)):
            inputs = [inputs]
        nesting = take_apart(inputs, leaves)
        return nesting, [self.adopt_input(leaf) for leaf in leaves]

    def adopt_input(self, leaf):
        if not isinstance(leaf, torch.Tensor):
            return leaf
        leaf = self.where.adopt(leaf)
        if (self.precision == torch.float32 or not leaf.is_floating_point()
                or leaf.element_size() < 2):  # 8 bits were chosen on purpose
            return leaf
        return leaf.to(self.precision)

    def check_remedy(self, leaves):
        for i in self.remedy:
            if not (0 <= i < len(leaves)
                    and isinstance(leaves[i], torch.Tensor)
                    and leaves[i].is_floating_point()
                    and leaves[i].element_size() > 1):
                raise Unsupported("the remedy's input %d is no tensor that "
                                  "can be scaled" % i)

    def mend(self, tensors):
        """In place, if the supervisor asks for it."""
        if self.lib.remedied():
            for i, (scale, shift) in self.remedy.items():
                tensors[i].mul_(scale).add_(shift)

    def leaf_spec(self, leaf):
        try:
            if isinstance(leaf, torch.Tensor):
                return self.spec(leaf.dtype, leaf.shape)
            return self.spec(number_dtype(leaf), (), self.is_scalar)
        except KeyError:
            raise Unsupported("a tensor is %s" % leaf.dtype) from None

    def publish(self, inputs):
        """Write the plan and the state. The outputs are known by a first
        call; what it does to the state is undone."""
        state = self.expressible_state()
        note = json.dumps(self.nesting).encode()
        for name, tensor in state:
            self.lib.state_add(name.encode(),
                               self.spec(tensor.dtype, tensor.shape))
        self.lib.state_add(b"#inputs", self.spec(torch.uint8, [len(note)]))
        self.lib.state_map()
        for i, (_, tensor) in enumerate(state):
            self.state_view(i).copy_(tensor)
        self.state_view(len(state)).copy_(torch.tensor(list(note),
                                                       dtype=torch.uint8))

        outputs = []
        result = (self.model(**inputs) if isinstance(inputs, dict)
                  else self.model(*inputs))
        flatten_result(result, outputs, self.where.number)
        if not outputs:
            raise Unsupported("forward() returned nothing to compare")
        for output in outputs:
            self.lib.output_add(self.leaf_spec(output))
        self.lib.publish()
        self.settle()

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
        self.where.forget(slots.start)
        for stream, slot in enumerate(slots):
            nesting, leaves = self.draw_inputs(stream)
            if nesting != self.nesting:
                raise self.wrong("SHAPE", "get_inputs() returned %s, before "
                                 "it was %s" % (nesting, self.nesting))
            flat, places = [], self.inputs(slot)
            flatten_result(leaves, flat, self.where.number)
            self.check_fit(flat, places, "input")
            for got, place in zip(flat, places):
                place.copy_(got)
            self.mend(places)
        self.where.settle()

    def oracle(self):
        """Whatever the code does not do in float64 is no failure of it."""
        why = None
        try:
            for i, errors in self.measure_errors().items():
                self.lib.oracle_output(i, *errors.numbers())
        except Exception as error:
            why = headline(error).encode("ascii", "replace")
        gc.collect()
        self.where.settle()
        self.where.tidy()
        self.lib.oracle_publish(why)

    def measure_errors(self):
        """By output, of those that are floats. What calls do to the module
        they do to copies."""
        plain = copy.deepcopy(self.model)
        exact = widen(copy.deepcopy(self.model))
        errors = {}
        for stream in range(self.lib.slot_count()):
            _, leaves = self.draw_inputs(stream)
            leaves = [leaf.clone() if i in self.remedy else leaf
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
        return errors

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


class Candidate(Worker):
    def __init__(self, library, options, problem_path, candidate_path):
        super().__init__(library, options)
        self.problem_path = problem_path
        self.candidate_path = candidate_path

    def load(self):
        self.lib.load(self.LOAD_FD_COUNT)
        self.where.open()
        problem = None
        with self.where.building():
            if self.problem_path != "-":
                problem = self.import_file("kb_problem", self.problem_path)
            module = self.import_file("kb_candidate", self.candidate_path)
            self.model = self.build(module.ModelNew, problem)
        self.settle()


# --- the oracle: a module in float64 -------------------------------------


# What a float of 16 bits or more is widened to; 8 bits were chosen on purpose.
# None of them is there in a torch that does not work.
WIDE = {getattr(torch, narrow, None): getattr(torch, wide, None)
        for narrow, wide in (("float16", "float64"), ("bfloat16", "float64"),
                             ("float32", "float64"),
                             ("complex32", "complex128"),
                             ("complex64", "complex128"))}


def widened(value, copied=False):
    """A tensor, as wide as there is; `copied` even if that changes nothing."""
    if not isinstance(value, torch.Tensor):
        return value
    return value.to(WIDE.get(value.dtype, value.dtype), copy=copied)


def widen(model):
    """The module itself, with its parameters, its buffers and the tensors
    that are mere attributes."""
    model._apply(widened)  # what float() and double() are made of
    for module in model.modules():
        for name, value in vars(module).items():
            if type(value) is torch.Tensor:
                setattr(module, name, widened(value))
    return model


@contextlib.contextmanager
def wide_floats(precision):
    """All floats that code makes are float64, even where it asks for less:
    that was for the sake of the working precision, which is `precision` where
    code does not say. Random numbers are those of the working precision."""
    if not hasattr(torch.overrides, "TorchFunctionMode"):
        raise Unsupported("torch %s is too old" % torch.__version__)
    casts = {getattr(torch.Tensor, name): torch.Tensor.double
             for name in ("float", "half", "bfloat16")}
    default = torch.get_default_dtype()
    drawn = {torch.rand: default, torch.rand_like: precision,
             torch.randn: default, torch.randn_like: precision}

    def wide(value):
        return WIDE.get(value, value) if isinstance(value,
                                                    torch.dtype) else value

    class Wide(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            if function in drawn:
                asked = kwargs.get("dtype") or drawn[function]
                if asked == torch.float64:  # x.dtype, and x was widened
                    asked = precision
                return widened(function(*args, **{**kwargs, "dtype": asked}))
            function = casts.get(function, function)
            return function(*map(wide, args),
                            **{k: wide(v) for k, v in kwargs.items()})

    torch.set_default_dtype(torch.float64)
    try:
        with Wide():
            yield
    finally:
        torch.set_default_dtype(default)


class Errors:
    """How far an output is from what float64 gives, the worst of all calls;
    struct kb_oracle_entry says of which elements."""

    CHUNK_ELEMENTS = 1 << 22  # so that only these are there in float64 twice

    def __init__(self):
        self.largest = [0.0, 0.0]  # of b - o, of b
        self.rms = [0.0, 0.0]

    def add(self, got, expected):
        squares = [0.0, 0.0]
        got, expected = got.reshape(-1), expected.reshape(-1)
        for first in range(0, got.numel(), self.CHUNK_ELEMENTS):
            chunk = slice(first, first + self.CHUNK_ELEMENTS)
            b, o = got[chunk].double(), expected[chunk].double()
            both = torch.isfinite(b) & torch.isfinite(o)
            for k, value in enumerate((b - o, b)):
                value = torch.where(both, value, torch.zeros_like(value))
                self.largest[k] = max(self.largest[k],
                                      value.abs().max().item())
                squares[k] += value.square().sum().item()
        for k, square in enumerate(squares):
            self.rms[k] = max(self.rms[k],
                              math.sqrt(square / max(got.numel(), 1)))

    def numbers(self):
        return (self.largest[0], self.rms[0], self.largest[1], self.rms[1])


class Draws:
    """torch.rand() and its kin, for the time that get_inputs() runs: the
    same shapes and types, the numbers of base/random.h. Draw 0 of a stream
    seeds all other generators, the calls of these functions are draw 1, 2
    and so on. Tensors are made where the worker computes, whatever device
    is asked for."""

    def __init__(self, library, worker):
        number = library.number
        self.lib = library
        self.worker = worker
        self.number = None  # of the stream
        self.draw = 0
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
        draw = self.lib.draw_on_device if direct.is_cuda else self.lib.draw
        if direct.numel():
            draw(direct.data_ptr(), spec, kind, low, high, self.number,
                 self.draw)
        self.draw += 1
        if direct is not tensor:
            tensor.copy_(direct)
        return tensor

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


# --- the rest ------------------------------------------------------------


def chain(error):
    """The error and those that it came of."""
    seen = []
    while error is not None and all(e is not error for e in seen):
        seen.append(error)
        error = error.__cause__ or error.__context__
    return seen


def is_memory_error(error):
    if isinstance(error, RuntimeError):  # torch.cuda.OutOfMemoryError is one
        return (type(error).__name__ == "OutOfMemoryError"
                or "not enough memory" in str(error)
                or "can't allocate memory" in str(error)
                or "CUDA error: out of memory" in str(error)
                or "STATUS_ALLOC_FAILED" in str(error))  # cuBLAS and others
    return isinstance(error, MemoryError)


def is_build_error(error):
    """Was a compiler at work? Then its frames are in the traceback."""
    extension = os.path.join("torch", "utils", "cpp_extension.py")
    triton = os.path.join("", "triton", "compiler", "")
    frames = [f.f_code.co_filename
              for e in chain(error)
              for f, _ in traceback.walk_tb(e.__traceback__)]
    return any(f.endswith(extension) or triton in f for f in frames)


def headline(error):
    """One line, in place of a traceback; never empty."""
    lines = str(error).split("\n")
    if is_memory_error(error):
        return "not enough memory"
    if isinstance(error, (Refused, Unsupported)):
        return lines[0]
    return ("%s: %s" % (type(error).__name__, lines[0])).rstrip(": ")


def say(text):
    """To the log, whatever the code has made of sys.stderr."""
    with contextlib.suppress(Exception):
        sys.__stderr__.write(text)


def explain(error):
    if isinstance(error, (Refused, Unsupported)):
        say("kb_torch: %s\n" % error)
    else:
        say("".join(traceback.format_exception(type(error), error,
                                               error.__traceback__)))


def flush():
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(Exception):
            stream.flush()


class Service:
    """Questions in, acks out."""

    def __init__(self, library, worker):
        number = library.number
        self.lib = library
        self.worker = worker
        self.ok = number("KB_ACK_OK")
        load_failed = number("KB_ACK_LOAD_FAILED")
        run_failed = number("KB_ACK_RUN_FAILED")
        self.operations = {  # and what a failure without a better name is
            number("KB_OP_LOAD"): (self.load, load_failed),
            number("KB_OP_HEAP"): (worker.map_heap, run_failed),
            number("KB_OP_SLOT"): (worker.map_slot, run_failed),
            number("KB_OP_GENERATE"): (worker.generate, run_failed),
            number("KB_OP_RUN"): (self.run, run_failed),
            number("KB_OP_ORACLE"): (worker.oracle, run_failed),
        }

    def load(self):
        self.worker.load()
        # What is loaded stays: later collections need not look at it.
        gc.collect()
        gc.freeze()

    def run(self):
        self.worker.run(lambda: self.acknowledge(self.ok))

    def acknowledge(self, code):
        flush()
        self.lib.ack(code)

    def code_of(self, error, otherwise):
        if isinstance(error, Refused):
            return error.code
        if isinstance(error, Unsupported):
            return self.lib.number("KB_ACK_UNSUPPORTED")
        if any(is_memory_error(e) for e in chain(error)):
            return self.lib.number("KB_ACK_NO_MEMORY")
        if is_build_error(error):
            return self.lib.number("KB_ACK_BUILD_FAILED")
        return otherwise

    def attempt(self, operation, otherwise):
        try:
            operation()
            return self.ok
        except BaseException as error:  # sys.exit() is no way to succeed
            code = self.code_of(error, otherwise)
            if code == self.lib.number("KB_ACK_CODE_COUNT"):
                raise
            explain(error)
            return code

    def serve(self):
        while True:
            op = self.lib.receive()
            if not op:
                return
            self.acknowledge(self.attempt(*self.operations[op]))


# Of a float, in torch.
PRECISIONS = {"fp32": "float32", "fp16": "float16", "bf16": "bfloat16"}

# Arguments of torch.compile().
MODES = {
    "eager": None,
    "compile:default": {"mode": "default"},
    "compile:reduce-overhead": {"mode": "reduce-overhead"},
    "compile:max-autotune": {"mode": "max-autotune"},
    "compile:max-autotune-no-cudagraphs":
        {"mode": "max-autotune-no-cudagraphs"},
    "cudagraphs": {"backend": "cudagraphs"},
}

# Names and what they may be, the default first.
OPTIONS = {
    "precision": list(PRECISIONS),
    "tf32": ["off", "on"],
    "deterministic": ["off", "on"],
    "mode": list(MODES),
}


def parse_remedy(text):
    """{input: (scale, shift)}; None for what makes no sense."""
    try:
        parts = [part.split(":") for part in text.split(",")]
        return {int(i): (float(scale), float(shift))
                for i, scale, shift in parts}
    except ValueError:
        return None


def parse(arguments):
    """Options, role and its arguments; None for what makes no sense."""
    options = types.SimpleNamespace(
        cuda=False, remedy={},
        **{name: values[0] for name, values in OPTIONS.items()})
    rest = list(arguments)
    while rest and rest[0].startswith("--"):
        name = rest.pop(0)[2:]
        if name == "cuda":
            options.cuda = True
        elif name == "remedy" and rest and parse_remedy(rest[0]):
            options.remedy = parse_remedy(rest.pop(0))
        elif name in OPTIONS and rest and rest[0] in OPTIONS[name]:
            setattr(options, name, rest.pop(0))
        else:
            return None
    roles = {("reference", 3): Reference, ("candidate", 4): Candidate}
    role = roles.get(("".join(rest[1:2]), len(rest)))
    if not role or role is Candidate and (MODES[options.mode]
                                          or options.remedy):
        return None
    return options, role, rest


def configure(options):
    """Which of the ways to compute a thing torch may take."""
    if options.deterministic == "on":
        os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
        torch.use_deterministic_algorithms(True, warn_only=True)
        torch.backends.cudnn.deterministic = True
    if not options.cuda:
        return
    on = options.tf32 == "on"
    torch.backends.cudnn.benchmark = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is a newer way
        torch.set_float32_matmul_precision("high" if on else "highest")
        torch.backends.cuda.matmul.allow_tf32 = on
        torch.backends.cudnn.allow_tf32 = on


def main(arguments):
    parsed = parse(arguments)
    if not parsed:
        say("usage:\n" + "\n\n".join(__doc__.split("\n\n")[1:3]) + "\n")
        return 2
    if not torch:
        say("kb_torch: cannot import torch: %s\n" % torch_error)
        return 4

    faulthandler.enable()
    sys.dont_write_bytecode = True
    sys.stdout.reconfigure(line_buffering=True)
    options, role, (path, _, *files) = parsed
    configure(options)
    library = Library(path)
    status = 0
    try:
        with torch.no_grad():
            Service(library, role(library, options, *files)).serve()
    except Refused as error:  # the supervisor and we disagree
        explain(error)
        status = library.number("KBRT_EXIT_LOST")
    flush()
    os._exit(status)  # what the code registered for the end is not ours


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
