"""A fork server: imports what workers import, once, and is forked for each.

    kb_torch_server.py LIBKBFORK [MODULE]...

Nobody but kb starts it; src/run/confine/fork_server.h says what it is. What goes on
in its children is what "python -B SCRIPT ARGUMENT..." would do in a process of
its own: this file makes up for all that is different once a script has begun.
"""

import contextlib
import ctypes
import gc
import importlib
import io
import os
import signal
import sys
import tempfile
import types
from importlib.machinery import SourceFileLoader


def load(path):
    """The functions keep the GIL, for a child to have it."""
    library = ctypes.PyDLL(path)
    library.kb_served_ready.restype = ctypes.c_bool
    library.kb_served_await.restype = ctypes.c_bool
    for function in library.kb_served_argument, library.kb_served_variable:
        function.restype = ctypes.c_char_p
        function.argtypes = [ctypes.c_size_t]
    return library


def compile_programs():
    """Those beside this file that workers begin with, by their text: a worker has a
    copy."""
    programs = {}
    for name in "kb_torch.py", "kb_torch_build.py", "kb_torch_audit.py":
        path = os.path.join(os.path.dirname(__file__), name)
        with contextlib.suppress(OSError), open(path, "rb") as file:
            text = file.read()
            programs[text] = compile(text, path, "exec", dont_inherit=True)
    return programs


def digest_triton():
    """All that Triton consists of, hundreds of megabytes. Triton asks for the digest
    before the first kernel of a process is compiled, and keeps it."""
    for name in "triton.runtime.cache", "triton.compiler.compiler":
        with contextlib.suppress(Exception):
            importlib.import_module(name).triton_key()


def build_triton(folder):
    """The library by which Triton asks the driver, which Triton looks for in its
    cache. To load it loads the driver's library, which no process may have that is
    forked again."""
    os.environ["TRITON_CACHE_DIR"] = folder
    with contextlib.suppress(Exception):
        importlib.import_module("triton.backends.nvidia.driver").CudaUtils()


def files_below(folder):
    """Their bytes, by their names below it."""
    files = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                files[os.path.relpath(path, folder)] = file.read()
    return files


def prepare(modules):
    """Returns the files of Triton's cache that workers begin with."""
    for name in modules:
        importlib.import_module(name)
    has_triton = "triton" in modules
    with tempfile.TemporaryDirectory() as folder:
        # Libraries that started threads end them before a fork, and start them
        # again where they are needed: OpenBLAS does.
        child = os.fork()
        if not child:
            try:
                if has_triton:
                    build_triton(folder)
            finally:
                os._exit(0)
        if has_triton:
            digest_triton()
        os.waitpid(child, 0)
        files = files_below(folder)
    # What is there now is no child's garbage; to look at it would copy it.
    gc.collect()
    gc.freeze()
    return files


def put_files(files, folder):
    """Triton makes what is missing."""
    with contextlib.suppress(OSError):
        for name, data in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)


def fork_workers(library):
    """Returns in a worker alone: True; False when there is no supervisor."""
    hooks = [getattr(ctypes.pythonapi, "PyOS_" + name)
             for name in ("BeforeFork", "AfterFork_Parent", "AfterFork_Child")]
    while library.kb_served_await():
        if not library.kb_served_fork(*hooks):
            return True
    return False


def until_none(function):
    found = []
    while (text := function(len(found))) is not None:
        found.append(text)
    return found


def take_over(library):
    """The command line and the environment, as the child was told them."""
    arguments = [os.fsdecode(text)
                 for text in until_none(library.kb_served_argument)]
    variables = until_none(library.kb_served_variable)
    library.kb_served_forget()
    os.environb.clear()
    for text in variables:
        name, _, value = text.partition(b"=")
        os.environb[name] = value
    return arguments


def draw_anew():
    """The numbers that modules begin with, which they took from the system when
    they were imported. Python's own does so after each fork."""
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.seed()
    tempfile.tempdir = None


def open_stream(fd, old):
    """As Python does that is told not to buffer: what is behind the descriptor is
    not what it was."""
    raw = open(fd, "wb", buffering=0, closefd=False)
    raw.name = old.name
    stream = io.TextIOWrapper(raw, encoding=old.encoding, errors=old.errors,
                              newline="\n", write_through=True)
    stream.mode = "w"
    return stream


def begin(arguments):
    """As an interpreter begins that is given this command line."""
    script = arguments[2]  # behind "-B"
    sys.orig_argv = arguments
    sys.argv = arguments[2:]
    sys.path[0] = os.path.dirname(script)
    sys.stdout = sys.__stdout__ = open_stream(1, sys.stdout)
    sys.stderr = sys.__stderr__ = open_stream(2, sys.stderr)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    main = types.ModuleType("__main__")
    main.__file__ = script
    main.__cached__ = None
    main.__loader__ = SourceFileLoader("__main__", script)
    main.__builtins__ = sys.modules["builtins"]
    if "__annotations__" in vars(sys.modules["__main__"]):
        main.__annotations__ = {}
    sys.modules["__main__"] = main
    return main


def serve(path, *modules):
    library = load(path)
    if library.kb_served_begin():
        return None, None
    programs = compile_programs()
    files = prepare(modules)
    if not library.kb_served_ready() or not fork_workers(library):
        return None, None
    arguments = take_over(library)
    draw_anew()
    if os.path.basename(arguments[2]) == "kb_torch.py":
        put_files(files, os.environ.get("TRITON_CACHE_DIR", ""))
    main = begin(arguments)
    code = programs.get(main.__loader__.get_data(main.__file__))
    return main, code or main.__loader__.get_code("__main__")


if __name__ == "__main__":
    main, code = serve(*sys.argv[1:])
    if main:
        exec(code, main.__dict__)
