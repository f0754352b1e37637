"""What can go wrong in a worker, and how it is said."""

import contextlib
import sys
import traceback


class Refused(Exception):
    """Ends what the worker was asked for with this ack; says why."""

    def __init__(self, code, why):
        super().__init__(why)
        self.code = code


class Unsupported(Exception):
    """The problem is none that the protocol can express."""


def chain(error):
    """The error and those that it came of."""
    seen = []
    while error is not None and all(e is not error for e in seen):
        seen.append(error)
        error = error.__cause__ or error.__context__
    return seen


def causes(error):
    """The error and those that it was raised from, not those that were being
    handled when something else went wrong."""
    seen = []
    while error is not None and all(e is not error for e in seen):
        seen.append(error)
        error = error.__cause__
    return seen


def is_memory_error(error):
    if isinstance(error, RuntimeError):  # torch.cuda.OutOfMemoryError is one
        return (type(error).__name__ == "OutOfMemoryError"
                or "not enough memory" in str(error)
                or "can't allocate memory" in str(error)
                or "CUDA error: out of memory" in str(error)
                or "STATUS_ALLOC_FAILED" in str(error))  # cuBLAS and others
    return isinstance(error, MemoryError)


def ran_out_of_memory(error):
    """It did, or what it came of."""
    return any(is_memory_error(e) for e in chain(error))


EXTENSION = "/torch/utils/cpp_extension.py"

# Where compilers are at work, by backend: parts of the paths of files whose
# frames are in the traceback, or modules of the exception's type; and parts of
# paths whose frames say that what was compiled is being run, in the same package.
BUILDERS = {
    "cpp_extension": {"files": (EXTENSION,)},
    "inductor": {
        "files": ("/torch/_inductor/codegen/", "/torch/_inductor/graph.py",
                  "/torch/_inductor/lowering.py",
                  "/torch/_inductor/scheduler.py",
                  "/torch/_inductor/select_algorithm.py",
                  "/torch/_inductor/async_compile.py",
                  "/torch/_inductor/cpp_builder.py"),
        "types": ("torch._inductor.exc", "torch._dynamo.exc"),
    },
    "triton": {
        "files": ("/triton/compiler/", "/triton/backends/nvidia/compiler.py",
                  "/triton/backends/amd/compiler.py",
                  "/triton/runtime/build.py"),
        "types": ("triton.compiler.errors",),
    },
    "helion": {"files": ("/helion/_compiler/", "/helion/language/"),
               "types": ("helion.exc",)},
    "tilelang": {
        "files": ("/tilelang/engine/", "/tilelang/language/",
                  "/tilelang/transform/", "/tilelang/cache/",
                  "/tilelang/contrib/nvcc.py", "/tilelang/contrib/nvrtc.py",
                  "/tilelang/contrib/cc.py",
                  "/tilelang/jit/adapter/libgen.py",
                  "/tilelang/jit/adapter/wrapper.py"),
    },
    "tvm": {"files": ("/tvm/script/", "/tvm/tir/", "/tvm/ir/", "/tvm/driver/",
                      "/tvm/target/", "/tvm/contrib/nvcc.py",
                      "/tvm/contrib/cc.py")},
    "cute": {
        "files": ("/cutlass/base_dsl/", "/cutlass/cutlass_dsl/"),
        "runs": ("/cutlass/base_dsl/jit_executor.py",
                 "/cutlass/base_dsl/runtime/"),
    },
    "cuda-tile": {"files": ("/cuda/tile/_compile.py", "/cuda/tile/_passes/",
                            "/cuda/tile/_ir/")},
    "cupy": {"files": ("/cupy/cuda/compiler.py",),
             "types": ("cupy.cuda.compiler",)},
}


def code_of(errors):
    """What was at work when they were raised."""
    return [f.f_code
            for e in errors
            for f, _ in traceback.walk_tb(e.__traceback__)]


def is_compiler_error(error):
    """Did a compiler fail that torch ran for an extension? Not so what fails
    when that is loaded, which may be for want of a device."""
    return any(c.co_filename.endswith(EXTENSION)
               and c.co_name == "_run_ninja_build"
               for c in code_of(causes(error)))


def builder_of(error):
    """The backend whose compiler was at work, or None."""
    files = [c.co_filename for c in code_of(chain(error))]
    types = {type(e).__module__ for e in chain(error)}

    def is_there(parts):
        return any(part in f for f in files for part in parts)

    for name, of in BUILDERS.items():
        if types.intersection(of.get("types", ())):
            return name
        if is_there(of["files"]) and not is_there(of.get("runs", ())):
            return name
    return None


def is_build_error(error):
    return builder_of(error) is not None


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
