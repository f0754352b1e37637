"""libkbrt, the library that all runtimes share: what the protocol's operations
are made of.
"""

import ctypes
import functools

from kb_torch_errors import Refused


class Spec(ctypes.Structure):
    """struct kb_tensor_spec; Library checks the size."""

    _fields_ = [
        ("dtype", ctypes.c_uint32),
        ("ndim", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("dims", ctypes.c_uint64 * 8),
    ]


class Drawing(ctypes.Structure):
    """struct kbrt_drawing; Library checks the size."""

    _fields_ = [
        ("kind", ctypes.c_uint32),
        ("slot", ctypes.c_uint32),
        ("draw", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("low", ctypes.c_double),
        ("high", ctypes.c_double),
    ]


class Library:
    """runtime/lib/kbrt.h. Functions keep their names, less "kbrt_"."""

    INT, U32, U64 = ctypes.c_int, ctypes.c_uint32, ctypes.c_uint64
    POINTER, TEXT = ctypes.c_void_p, ctypes.c_char_p
    SPEC = ctypes.POINTER(Spec)
    DRAW = [POINTER, SPEC, ctypes.POINTER(Drawing)]

    # Result and arguments after the handle. These do not fail.
    FACTS = {
        "side": [U32],
        "first_slot": [U32],
        "slot_count": [U32],
        "gate_of_request": [U32],
        "alternate": [ctypes.c_bool],
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
        "fp64_error_output": [None, U32] + [ctypes.c_double] * 4,
        "gate_done": [None],
        "gate_failed": [None],
        "set_rank": [None, U32, U32],
        "compiling": [None, ctypes.c_bool],
        "record_drop": [None],
        "kernels_drop": [None],
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
        "fp64_error_publish": [TEXT],
        "gate_wait": [],
        "gate_wait_release": [],
        "draw": DRAW,
        "cuda_open": [],
        "draw_on_device": DRAW,
        "record_begin": [U64],
        "record_input": [U32, U32, U64],
        "record_end": [U32],
        "replay_begin": [],
        "replay": [U32],
        "pool_map": [],
        "stream_gate_wait": [],
        "stream_gate_done": [],
        "device_sync": [],
        "kernels_begin": [],
        "kernels_end": [],
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
        for struct, ours in (("kb_tensor_spec", Spec), ("kbrt_drawing", Drawing)):
            if self.number("sizeof(struct %s)" % struct) != ctypes.sizeof(ours):
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

    def lead(self, fds, pids):
        numbers = ctypes.c_int * len(fds)
        self.c.kbrt_lead.argtypes = [self.POINTER, self.POINTER, self.POINTER,
                                     self.U32, self.POINTER]
        return self.act(self.c.kbrt_lead, numbers(*fds), numbers(*pids),
                        len(fds))

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
