"""What can go wrong in a worker, and how it is said."""

import contextlib
import os
import re
import sys
import traceback


who = ""  # before each reason


def speak_for(rank):
    """What fails in one rank makes others fail: a reason tells whose it is."""
    global who
    who = "rank %d: " % rank


def told_by_rank(text):
    return who + text


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


def text_of(error):
    """Its message. An exception of the code's own can fail to say it."""
    try:
        return str(error)
    except BaseException:
        return ""


def is_memory_error(error):
    if isinstance(error, RuntimeError):  # torch.cuda.OutOfMemoryError is one
        text = text_of(error)
        return (type(error).__name__ == "OutOfMemoryError"
                or "not enough memory" in text
                or "can't allocate memory" in text
                or "CUDA error: out of memory" in text
                or "Triton Error [CUDA]: out of memory" in text
                or "STATUS_ALLOC_FAILED" in text)  # cuBLAS and others
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
    lines = text_of(error).split("\n")
    if is_memory_error(error):
        return "not enough memory"
    if isinstance(error, (Refused, Unsupported)):
        return lines[0]
    return ("%s: %s" % (type(error).__name__, lines[0])).rstrip(": ")


# How compilers and linkers begin a line about the code: gcc and clang; nvcc's
# front end; the rest of nvcc; ld.
FOUND = re.compile(r"^(?:\S.*: (?:fatal )?error: "
                   r"|\S.*\(\d+\): (?:catastrophic )?error\b"
                   r"|(?:nvcc|ptxas|nvlink)\b.*\b(?:error|fatal)\s*:"
                   r"|\S*ld(?:\.\w+)?: )", re.MULTILINE)

REASON_BYTES = 160  # of a message; there is room for its place behind it


def line_of(found):
    """Without the folders of its file. ld names a function, and behind that
    what it lacks."""
    line, *rest = found.string[found.start():].split("\n", 2)
    if rest and line.endswith("':"):
        line = rest[0]
    return re.sub(r"^\S*/(?=[^/\s:(]+[:(])", "", line)


def compiler_line(error):
    """The first in which a compiler says what is wrong, or None."""
    for e in causes(error):
        output = getattr(e, "output", None)  # of subprocess.CalledProcessError
        if isinstance(output, bytes):
            output = output.decode(errors="replace")
        for text in text_of(e), output if isinstance(output, str) else "":
            found = FOUND.search(text)
            if found:
                return line_of(found)
    return None


def message_of(error):
    """In one line. Triton quotes a kernel up to where it goes wrong, and then
    says what is wrong; others say that first."""
    if isinstance(error, SyntaxError):  # whose text has the place as well
        return str(error.msg or "")
    lines = [line.strip() for line in text_of(error).splitlines()
             if line.strip(" \t^~")]
    if not lines:
        return ""
    if re.match(r"at \d+:\d+:", lines[0]):
        return lines[-1]
    return " ".join(lines[:2]) if lines[0].endswith(":") else lines[0]


def place_of(error):
    """" (line 12)" of the code, or ""."""
    if isinstance(error, SyntaxError):
        places = [(error.filename, error.lineno)] if error.lineno else []
    else:
        places = [(frame.f_code.co_filename, line) for frame, line
                  in traceback.walk_tb(error.__traceback__)]
    for path, line in reversed(places):
        name = os.path.basename(path or "")
        if name == "candidate.py":
            return " (line %d)" % line
        if name == "problem.py" or isinstance(error, SyntaxError):
            return " (%s, line %d)" % (name, line)
    return ""


def printable(text):
    """In a line of no more than REASON_BYTES."""
    text = "".join(c if c.isprintable() else "?" for c in text)
    data = text.encode()
    if len(data) <= REASON_BYTES:
        return text
    return data[:REASON_BYTES - 3].decode(errors="ignore") + "..."


def root_of(error):
    """What a compiler failed of. That it has ended with a status says less
    than who ran it."""
    return [e for e in causes(error) if not hasattr(e, "returncode")
            or e is error][-1]


def reason(error):
    """Why the code failed, in one line with its place. Where a compiler was at
    work it is what that says; else what the last exception says."""
    try:
        is_build = is_build_error(error)
        line = compiler_line(error) if is_build else None
        if line:
            return printable(line)
        last = root_of(error) if is_build else error
        text = ": ".join(filter(None, (type(last).__name__,
                                       message_of(last))))
        place = place_of(last) or place_of(error)
        return printable(text) + printable(place)
    except BaseException:  # of an exception that is made to be one
        return "an exception that cannot be told"


def say(text):
    """To the log, whatever the code has made of sys.stderr."""
    with contextlib.suppress(Exception):
        sys.__stderr__.write(text)


def explain(error):
    """The last line that begins as this one does is the reason: see
    worker/reason.h."""
    flush()
    if isinstance(error, (Refused, Unsupported)):
        say("kb_torch: %s\n" % told_by_rank(str(error)))
        return
    say("".join(traceback.format_exception(type(error), error,
                                           error.__traceback__)))
    say("kb_torch: %s\n" % told_by_rank(reason(error)))


def flush():
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(Exception):
            stream.flush()
