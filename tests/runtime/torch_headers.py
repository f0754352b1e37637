"""torch_headers.py LIBEXEC: a compiled header is made with torch's own command, and used
only for the same command and the same headers. TAP on stdout."""

import json
import os
import shutil
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")  # torch knows no compiler of such a name

from torch_rig import need

need("torch.utils.cpp_extension")
from torch.utils import cpp_extension

import kb_torch_headers as headers

# In place of gcc: one header, and a compiled one that says how it was made.
COMPILER = r"""#!/bin/sh
for last; do :; done
case " $* " in
*" -M "*) printf 'extension.o: %%s \\\n %(header)s\n' "$last" ;;
*" -x c++-header "*) echo "%(magic)s $*" >"$last" ;;
*) echo 12.2 ;;
esac
"""
number = 0


def result(ok, name):
    global number
    number += 1
    print("%sok %d - %s" % ("" if ok else "not ", number, name), flush=True)


def ninja(folder, **changes):
    """An extension's build.ninja, by torch."""
    os.makedirs(folder)
    run = cpp_extension._run_ninja_build
    cpp_extension._run_ninja_build = stop
    try:
        cpp_extension.load_inline("own_name", [""], build_directory=folder, **changes)
    except InterruptedError:
        pass
    finally:
        cpp_extension._run_ninja_build = run
    return folder


def stop(build_directory, verbose, error_prefix):
    raise InterruptedError


def make(folder, magic):
    os.makedirs(folder)
    header = os.path.join(folder, "header.h")
    compiler = os.path.join(folder, "c++")
    with open(header, "w", encoding="utf-8") as file:
        file.write("1\n")
    with open(compiler, "w", encoding="utf-8") as file:
        file.write(COMPILER % {"header": header, "magic": magic})
    os.chmod(compiler, 0o755)
    os.environ["CXX"] = compiler
    os.environ["TORCH_EXTENSIONS_DIR"] = os.path.join(folder, "work")
    run = cpp_extension._run_ninja_build
    try:
        headers.make()
    finally:
        cpp_extension._run_ninja_build = run
    return os.path.join(folder, "work", headers.FOLDER), header


def check(root):
    for name in headers.VARIABLES:
        os.environ.pop(name, None)
    os.environ.pop("TORCH_CUDA_ARCH_LIST", None)
    try:
        make(os.path.join(root, "other"), "CPCH")
        result(False, "a compiler that is not gcc is refused")
    except RuntimeError as error:
        result("not gcc" in str(error), "a compiler that is not gcc is refused")
    made, header = make(os.path.join(root, "gcc"), "gpch")
    with open(os.path.join(made, headers.COMPILED), encoding="utf-8") as file:
        words = file.read().split()
    result("-fPIC" in words and not any("TORCH_EXTENSION_NAME" in word for word in words),
           "it is compiled by torch's command, without the name of an extension")

    plain = {"HOME": "/"}
    same = ninja(os.path.join(root, "same"))
    result(headers.is_usable(made, same, plain), "an extension with the same command uses it")
    empty = ninja(os.path.join(root, "empty"), extra_cflags=[""])
    result(headers.is_usable(made, empty, plain), "empty flags are none")
    for number_of, changes in enumerate((
            {"extra_cflags": ["-O3"]}, {"extra_cflags": ["-DNDEBUG"]},
            {"extra_include_paths": [root]})):
        folder = ninja(os.path.join(root, "other%d" % number_of), **changes)
        result(not headers.is_usable(made, folder, plain), "not with %s" % changes.popitem()[0])
    for name in headers.VARIABLES:
        if headers.is_usable(made, same, {name: "/usr/include"}):
            result(False, "not with %s" % name)
    result(True, "not with variables by which gcc finds other headers")
    with open(os.path.join(made, headers.MADE_WITH), encoding="utf-8") as file:
        made_with = json.load(file)
    with open(os.path.join(made, headers.MADE_WITH), "w", encoding="utf-8") as file:
        json.dump({**made_with, "variables": {"CPATH": "/opt"}}, file)
    result(headers.is_usable(made, same, {"CPATH": "/opt"})
           and not headers.is_usable(made, same, plain), "with the same variables alone")
    with open(os.path.join(made, headers.MADE_WITH), "w", encoding="utf-8") as file:
        json.dump(made_with, file)
    os.utime(header, ns=(1, 1))
    result(not headers.is_usable(made, same, plain), "not when a header has changed")
    result(headers.variables(same, plain) is plain,
           "where there is none, variables stay as they are")
    shutil.copytree(made, os.path.join(root, "beside", headers.FOLDER))
    path = os.path.join(root, "beside", headers.FOLDER, headers.MADE_WITH)
    with open(path, encoding="utf-8") as file:
        made_with = json.load(file)
    made_with["headers"] = {}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(made_with, file)
    headers.__file__ = os.path.join(root, "beside", "kb_torch_headers.py")
    folder = os.path.join(headers.writable(), headers.NOTES, headers.FOLDER)
    result(headers.variables(same, plain) == {"HOME": "/", "CPATH": folder}
           and headers.variables(same, {"CPATH": "/opt"}) == {"CPATH": "/opt"},
           "gcc is told where it is")
    result(sorted(os.listdir(os.path.join(folder, "torch")))
           == ["extension.h", "extension.h.gch"], "beside a header for who asks again")


with tempfile.TemporaryDirectory() as root:
    check(root)
print("1..%d" % number)
