"""The torch runtime: runs a problem or a candidate in KernelBench's format.

    kb_torch.py LIBKBRT reference PROBLEM
    kb_torch.py LIBKBRT candidate PROBLEM CANDIDATE
    kb_torch.py --facts

The first two are workers: they speak src/worker/protocol.h through LIBKBRT,
the library that all runtimes share, and never with anybody else. A PROBLEM
of "-" stands for one that is not in Python: its ModelNew is built without
arguments. The third prints what this interpreter and its torch are, as one
line of JSON. kb-torch(7) tells people what this program expects of files.

Nothing that a candidate does to this process can make a wrong result right:
clock, seeds and comparison are the supervisor's.
"""

import contextlib
import ctypes
import faulthandler
import functools
import gc
import importlib.util
import json
import math
import os
import platform
import random
import sys
import traceback

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

    # Result and arguments after the handle. These do not fail.
    FACTS = {
        "first_slot": [U32],
        "slot_count": [U32],
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
        "gate_wait": [],
        "gate_wait_release": [],
        "draw": [POINTER, SPEC, U32, ctypes.c_double, ctypes.c_double, U32,
                 U32],
    }

    def __init__(self, path):
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


def flatten_result(value, flat):
    """Append the tensors in what forward() returned to `flat`, in the order
    of take_apart()."""
    if isinstance(value, torch.Tensor):
        flat.append(value)
    elif isinstance(value, (bool, int, float)):
        flat.append(torch.tensor(value, dtype=number_dtype(value)))
    elif isinstance(value, (list, tuple)):
        for v in value:
            flatten_result(v, flat)
    elif isinstance(value, dict):
        for _, v in sorted_items(value):
            flatten_result(v, flat)
    elif value is not None:
        raise TypeError("forward() returned a %s" % type(value).__name__)


def number_dtype(value):
    if isinstance(value, bool):
        return torch.bool
    return torch.int64 if isinstance(value, int) else torch.float64


# --- what a worker is asked for ------------------------------------------


class Worker:
    """What reference and candidate have in common."""

    LOAD_FD_COUNT = 3  # control page, plan, state

    def __init__(self, library):
        number = library.number
        names = ("float64", "float32", "float16", "bfloat16", "int64",
                 "int32", "int16", "int8", "uint8", "bool")
        self.lib = library
        self.dtypes = {number("KB_" + n.upper()): getattr(torch, n)
                       for n in names}
        self.dtype_numbers = {t: n for n, t in self.dtypes.items()}
        self.is_scalar = number("KB_TENSOR_IS_SCALAR")
        self.model = None
        self.nesting = None  # how the inputs nest in the arguments
        self.numbers = []  # is this input a plain number?

    def seed(self, value):
        """Every generator that code might use and that we can reach."""
        torch.manual_seed(value)
        random.seed(value)
        numpy = sys.modules.get("numpy")
        if numpy:
            numpy.random.seed(value % 2**32)

    def import_file(self, name, path):
        """A module, of which chance at its top level is the same for
        reference and candidate."""
        self.seed(self.lib.seed_number())
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # inspect and triton look for it here
        spec.loader.exec_module(module)
        return module

    def build(self, model_class, problem):
        """An instance, with the arguments that the problem says."""
        get_init_inputs = getattr(problem, "get_init_inputs", list)
        self.seed(self.lib.seed_number())
        init_inputs = get_init_inputs()
        self.seed(self.lib.seed_number())
        if isinstance(init_inputs, dict):
            return model_class(**init_inputs)
        return model_class(*init_inputs)

    def spec(self, dtype, shape, flags=0):
        """Raises KeyError for a type that the protocol does not know. More
        dimensions than fit are for the library to refuse."""
        spec = Spec(dtype=self.dtype_numbers[dtype], ndim=len(shape),
                    flags=flags)
        for i, n in enumerate(shape[:len(spec.dims)]):
            spec.dims[i] = n
        return spec

    def view(self, spec, address):
        """The tensor at `address`, without a copy."""
        shape = tuple(spec.dims[:spec.ndim])
        tensor = torch.empty(0, dtype=self.dtypes[spec.dtype])
        count = math.prod(shape)
        if not count:
            return tensor.view(shape)
        memory = ctypes.c_char * (count * tensor.element_size())
        return torch.frombuffer(memory.from_address(address),
                                dtype=tensor.dtype, count=count).view(shape)

    def state_view(self, i):
        return self.view(self.lib.state_spec(i)[0], self.lib.state_data(i))

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

    def map_slot(self):
        self.lib.slot_map()

    def inputs(self, slot):
        return [self.view(self.lib.input_spec(i)[0],
                          self.lib.input_data(slot, i))
                for i in range(self.lib.input_count())]

    def outputs(self, slot):
        return [self.view(self.lib.output_spec(i)[0],
                          self.lib.output_data(slot, i))
                for i in range(self.lib.output_count())]

    def prepare(self, slot):
        """A call to make: (args, kwargs, inputs, outputs), the first two
        None if they hold numbers, which may be read only when the gate is
        open. All is made anew for each run, so that what a call does to
        these objects ends with it."""
        inputs = self.inputs(slot)
        args = kwargs = None
        if not any(self.numbers):
            args, kwargs = self.arguments(inputs)
        return args, kwargs, inputs, self.outputs(slot)

    def arguments(self, inputs):
        leaves = [tensor.item() if is_number else tensor
                  for tensor, is_number in zip(inputs, self.numbers)]
        value = put_together(self.nesting, iter(leaves))
        return ((), value) if isinstance(value, dict) else (value, {})

    def call_all(self, calls):
        """The timed part."""
        model, store = self.model, self.store
        for args, kwargs, inputs, outputs in calls:
            if args is None:
                args, kwargs = self.arguments(inputs)
            store(model(*args, **kwargs), outputs)

    def store(self, result, places, noun="output"):
        flat = []
        flatten_result(result, flat)
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
            place.copy_(got)

    def wrong(self, what, why):
        return Refused(self.lib.number("KB_ACK_WRONG_" + what), why)

    def requested_slots(self):
        self.lib.slots_check()
        first = self.lib.first_slot()
        return range(first, first + self.lib.slot_count())

    def run(self, acknowledge_queued):
        lib, failure = self.lib, None
        calls = [self.prepare(slot) for slot in self.requested_slots()]
        self.seed(lib.seed_number())
        gc.collect()
        gc.disable()
        acknowledge_queued()
        lib.gate_wait()
        try:
            self.call_all(calls)
        except BaseException as error:  # SystemExit is a failure as well
            failure = error
        lib.gate_done()
        lib.gate_wait_release()
        gc.enable()
        if failure is not None:
            raise failure

    def generate(self):
        raise Refused(self.lib.number("KB_ACK_CODE_COUNT"),
                      "a candidate is asked for inputs")


class Reference(Worker):
    def __init__(self, library, problem_path):
        super().__init__(library)
        self.problem_path = problem_path
        self.draws = Draws(library, self)

    def load(self):
        self.lib.load(self.LOAD_FD_COUNT)
        with self.draws.installed():
            problem = self.import_file("kb_problem", self.problem_path)
        self.get_inputs = problem.get_inputs
        self.model = self.build(problem.Model, problem)
        leaves = []
        self.nesting = take_apart(self.draw_inputs(0), leaves)
        for leaf in leaves:
            self.lib.input_add(self.leaf_spec(leaf))
        self.publish(put_together(self.nesting, iter(leaves)))

    def draw_inputs(self, slot):
        """Returns a list, tuple or dict: the arguments of one call."""
        with self.draws.installed(), self.draws.stream(slot):
            inputs = self.get_inputs()
        return inputs if isinstance(inputs, (list, tuple, dict)) else [inputs]

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
        flatten_result(result, outputs)
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
        for slot in self.requested_slots():
            leaves = []
            nesting = take_apart(self.draw_inputs(slot), leaves)
            if nesting != self.nesting:
                raise self.wrong("SHAPE", "get_inputs() returned %s, before "
                                 "it was %s" % (nesting, self.nesting))
            self.store(leaves, self.inputs(slot), "input")


class Candidate(Worker):
    def __init__(self, library, problem_path, candidate_path):
        super().__init__(library)
        self.problem_path = problem_path
        self.candidate_path = candidate_path

    def load(self):
        self.lib.load(self.LOAD_FD_COUNT)
        problem = None
        if self.problem_path != "-":
            problem = self.import_file("kb_problem", self.problem_path)
        module = self.import_file("kb_candidate", self.candidate_path)
        self.model = self.build(module.ModelNew, problem)
        self.settle()


class Draws:
    """torch.rand() and its kin, for the time that get_inputs() runs: the
    same shapes and types, the numbers of base/random.h. Draw 0 of a slot
    seeds all other generators, the calls of these functions are draw 1, 2
    and so on. Tensors are made where the worker computes, whatever device
    is asked for."""

    def __init__(self, library, worker):
        number = library.number
        self.lib = library
        self.worker = worker
        self.slot = None
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
    def stream(self, slot):
        self.slot, self.draw = slot, 0
        try:
            first = torch.empty((), dtype=torch.int64)
            self.fill(first, (self.integers, 0, 2**53))
            self.worker.seed(first.item())
            yield
        finally:
            self.slot = None

    def fill(self, tensor, how):
        kind, low, high = how
        direct = tensor
        if kind == self.integers and tensor.is_floating_point():
            direct = torch.empty(tensor.shape, dtype=torch.int64)
        elif not tensor.is_contiguous():
            direct = torch.empty(tensor.shape, dtype=tensor.dtype)
        spec = self.worker.spec(direct.dtype, direct.shape)
        if direct.numel():
            self.lib.draw(direct.data_ptr(), spec, kind, low, high, self.slot,
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
            if self.slot is None:
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
            if self.slot is None:
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
                or "can't allocate memory" in str(error))
    return isinstance(error, MemoryError)


def is_build_error(error):
    """Was a compiler at work? Then its frames are in the traceback."""
    extension = os.path.join("torch", "utils", "cpp_extension.py")
    triton = os.path.join("", "triton", "compiler", "")
    frames = [f.f_code.co_filename
              for e in chain(error)
              for f, _ in traceback.walk_tb(e.__traceback__)]
    return any(f.endswith(extension) or triton in f for f in frames)


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
            number("KB_OP_SLOT"): (worker.map_slot, run_failed),
            number("KB_OP_GENERATE"): (worker.generate, run_failed),
            number("KB_OP_RUN"): (self.run, run_failed),
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


def facts():
    try:
        import numpy
        numpy_version = numpy.__version__
    except Exception:
        numpy_version = None
    found = {
        "python_version": platform.python_version(),
        "python_implementation": platform.python_implementation(),
        "numpy_version": numpy_version,
        "torch_error": torch_error,
        "torch_version": None,
        "torch_cuda_version": None,
        "torch_cudnn_version": None,
        "torch_threads_count": None,
        "torch_build": None,
        "torch_parallel": None,
    }
    if torch:
        found.update({
            "torch_version": torch.__version__,
            "torch_cuda_version": torch.version.cuda,
            "torch_cudnn_version": torch.backends.cudnn.version(),
            "torch_threads_count": torch.get_num_threads(),
            "torch_build": torch.__config__.show(),
            "torch_parallel": torch.__config__.parallel_info(),
        })
    return found


def main(arguments):
    if arguments == ["--facts"]:
        print(json.dumps(facts(), sort_keys=True))
        return 0
    roles = {("reference", 3): Reference, ("candidate", 4): Candidate}
    role = roles.get(("".join(arguments[1:2]), len(arguments)))
    if not role:
        say("usage:\n" + __doc__.split("\n\n")[1] + "\n")
        return 2
    if not torch:
        say("kb_torch: cannot import torch: %s\n" % torch_error)
        return 4

    faulthandler.enable()
    sys.dont_write_bytecode = True
    sys.stdout.reconfigure(line_buffering=True)
    library = Library(arguments[0])
    status = 0
    try:
        with torch.no_grad():
            Service(library, role(library, *arguments[2:])).serve()
    except Refused as error:  # the supervisor and we disagree
        explain(error)
        status = library.number("KBRT_EXIT_LOST")
    flush()
    os._exit(status)  # what the code registered for the end is not ours


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
