"""torch's header for extensions, compiled ahead.

The file for the host of an extension takes half a minute, most of it for
<torch/extension.h>. gcc can store a compiled header (a precompiled header) and read it
where a file includes that header first; the object is the same to the byte. So a run
with many extensions compiles the header once, in a build without a candidate, and
every later build finds it in FOLDER beside this file.

A build uses it only where compiler, flags, include paths and the headers themselves
are those that it was made with. gcc checks its own version and all macros.
"""

import json
import os
import re
import shlex
import subprocess
import tempfile

from kb_torch_written import NOTES, intercept, writable

FOLDER = "headers"
COMPILED = os.path.join("torch", "extension.h.gch")
MADE_WITH = "made_with"

# A file that includes the header again finds this beside what is compiled.
TEXT = """#ifndef KB_TORCH_EXTENSION_H
#define KB_TORCH_EXTENSION_H
#include_next <torch/extension.h>
#endif
"""

# By which gcc finds other headers, or another compiler.
VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH",
             "GCC_EXEC_PREFIX", "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES")


class Taken(Exception):
    """torch has written what was asked for."""


def command_of(directory):
    """How torch has ninja compile a file for the host there: words, without the
    extension's name."""
    with open(os.path.join(directory, "build.ninja"), encoding="utf-8") as file:
        text = file.read()
    found = dict(re.findall(r"^(cxx|cflags|post_cflags) =(.*)$", text, re.MULTILINE))
    words = shlex.split(" ".join(found.get(name, "")
                                 for name in ("cxx", "cflags", "post_cflags")))
    return [word for word in words
            if not word.startswith("-DTORCH_EXTENSION_NAME=")]


def ask_torch(folder):
    """command_of() an extension with torch's own flags."""
    from torch.utils import cpp_extension

    def make(run):
        def taking(build_directory, verbose, error_prefix):
            raise Taken
        return taking

    intercept(make)
    cuda = [""] if "TORCH_CUDA_ARCH_LIST" in os.environ else None
    try:
        cpp_extension.load_inline("kb_headers", [""], cuda, build_directory=folder)
    except Taken:
        return command_of(folder)
    raise RuntimeError("torch does not compile extensions as we know it")


def variables_of(environ):
    return {name: environ[name] for name in VARIABLES if name in environ}


def identity(path):
    was = os.stat(path)
    return [was.st_size, was.st_mtime_ns]


def headers_of(command, source):
    """All that it includes, with sizes and times."""
    rule = subprocess.run([*command, "-M", source], check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    _, *paths = rule.replace("\\\n", " ").split()
    return {path: identity(path) for path in paths if path != source}


def make():
    """In a build without a candidate: leave FOLDER in the directory that is kept."""
    folder = os.path.join(writable(), FOLDER)
    compiled = os.path.join(folder, COMPILED)
    os.makedirs(os.path.dirname(compiled))
    with tempfile.TemporaryDirectory() as work:
        command = ask_torch(work)
        source = os.path.join(work, "extension.h")
        with open(source, "w", encoding="utf-8") as file:
            file.write(TEXT)
        made_with = {"command": command, "headers": headers_of(command, source),
                     "variables": variables_of(os.environ)}
        subprocess.run([*command, "-x", "c++-header", source, "-o", compiled],
                       check=True)
    with open(compiled, "rb") as file:
        if file.read(4) != b"gpch":
            raise RuntimeError("the compiler is not gcc")
    with open(os.path.join(folder, MADE_WITH), "w", encoding="utf-8") as file:
        json.dump(made_with, file)


def is_usable(folder, directory, environ):
    with open(os.path.join(folder, MADE_WITH), encoding="utf-8") as file:
        made_with = json.load(file)
    return (variables_of(environ) == made_with["variables"]
            and command_of(directory) == made_with["command"]
            and all(identity(path) == was
                    for path, was in made_with["headers"].items()))


def lay_out(made):
    """A folder that gcc finds the header in. It is in the directory that is kept: ninja
    compiles again what depends on a file that is gone."""
    folder = os.path.join(writable(), NOTES, FOLDER)
    compiled = os.path.join(folder, COMPILED)
    if not os.path.exists(compiled):
        os.makedirs(os.path.dirname(compiled), exist_ok=True)
        with open(os.path.splitext(compiled)[0], "w", encoding="utf-8") as file:
            file.write(TEXT)
        os.symlink(os.path.join(made, COMPILED), compiled)
    return folder


def variables(directory, environ):
    """`environ`, or a copy by which gcc finds the compiled header, if that may be used
    for the extension in this directory."""
    made = os.path.join(os.path.dirname(os.path.abspath(__file__)), FOLDER)
    try:
        if not is_usable(made, directory, environ):
            return environ
        folder = lay_out(made)
    except (OSError, ValueError):
        return environ
    others = environ.get("CPATH")
    return {**environ, "CPATH": folder + os.pathsep + others if others else folder}
