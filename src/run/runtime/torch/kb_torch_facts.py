"""What this interpreter and its torch are, as one line of JSON.

    kb_torch_facts.py [--cuda]

    --cuda    also what concerns a CUDA device
"""

import contextlib
import ctypes
import json
import os
import platform
import sys
import textwrap

try:
    import torch
    torch_error = None
except Exception as error:  # a broken installation raises what it likes
    torch = None
    torch_error = str(error)


def torch_library(name):
    """One of torch's own libraries. What it was linked with is found
    through it: the very libraries that torch calls, whatever others of the
    same name this machine has."""
    path = os.path.join(os.path.dirname(torch.__file__), "lib", name)
    try:
        return ctypes.CDLL(path)
    except OSError:
        return None


def call_for_numbers(library, function, count, *arguments):
    """What `function` writes to its last `count` arguments, if it is there
    and returns 0; else None."""
    numbers = [ctypes.c_int() for _ in range(count)]
    try:
        failed = getattr(library, function)(
            *arguments, *[ctypes.byref(n) for n in numbers])
    except AttributeError:
        return None
    return None if failed else [n.value for n in numbers]


def cuda_runtime_version(library):
    number = call_for_numbers(library, "cudaRuntimeGetVersion", 1)
    return number and "%d.%d" % (number[0] // 1000, number[0] % 1000 // 10)


def cublas_version(library):
    parts = [call_for_numbers(library, "cublasGetProperty", 1, part)
             for part in range(3)]
    return None if None in parts else "%d.%d.%d" % tuple(p[0] for p in parts)


def nvrtc_version(library):
    numbers = call_for_numbers(library, "nvrtcVersion", 2)
    return numbers and "%d.%d" % tuple(numbers)


def distribution_version(*names):
    """Of the first that is installed; it is not imported."""
    import importlib.metadata
    for name in names:
        with contextlib.suppress(Exception):
            return importlib.metadata.version(name)
    return None


# Languages for kernels, and the distributions that they come as.
LANGUAGES = {
    "triton_version": ("triton", "pytorch-triton"),
    "helion_version": ("helion",),
    "tilelang_version": ("tilelang",),
    "apache_tvm_ffi_version": ("apache-tvm-ffi",),
    "nvidia_cutlass_dsl_version": ("nvidia-cutlass-dsl",),
    "cuda_tile_version": ("cuda-tile",),
    "cupy_version": ("cupy-cuda13x", "cupy-cuda12x", "cupy-cuda11x", "cupy"),
}


def first_line(*path):
    with open(os.path.join(*path), encoding="ascii") as file:
        return file.readline().strip()


def commit_of(checkout):
    """What git has checked out there, without asking git; or None."""
    if not checkout:
        return None
    git = os.path.join(checkout, ".git")
    head = value_or_none(lambda: first_line(git, "HEAD"))
    if not head or not head.startswith("ref: "):
        return head
    ref = head[len("ref: "):]
    commit = value_or_none(lambda: first_line(git, ref))
    return commit or value_or_none(lambda: packed_commit(git, ref))


def packed_commit(git, ref):
    with open(os.path.join(git, "packed-refs"), encoding="ascii") as file:
        for line in file:
            commit, _, name = line.strip().partition(" ")
            if name == ref:
                return commit
    return None


def value_or_none(function):
    try:
        return function()
    except Exception:  # this torch has no such thing, or no device
        return None


def cuda_facts():
    """What is loaded, and what torch does by default, on a CUDA device."""
    found = {
        **{name: distribution_version(*of) for name, of in LANGUAGES.items()},
        "thunderkittens_commit": commit_of(
            os.environ.get("THUNDERKITTENS_ROOT")),
        "transformers_version": distribution_version("transformers"),
        "torch_cuda_runtime_version": None,
        "torch_cublas_version": None,
        "torch_nvrtc_version": None,
        "torch_device_name": None,
        "torch_matmul_allow_tf32": None,
        "torch_cudnn_allow_tf32": None,
        "torch_matmul_precision": None,
    }
    if torch:
        loaded = torch_library("libtorch_cuda.so")
        # torch itself loads this one when it first compiles something.
        compiler = torch_library("libcaffe2_nvrtc.so")
        backends = torch.backends
        found.update({
            "torch_cuda_runtime_version": cuda_runtime_version(loaded),
            "torch_cublas_version": cublas_version(loaded),
            "torch_nvrtc_version": nvrtc_version(compiler),
            "torch_device_name": value_or_none(
                lambda: torch.cuda.get_device_name(0)),
            "torch_matmul_allow_tf32": value_or_none(
                lambda: backends.cuda.matmul.allow_tf32),
            "torch_cudnn_allow_tf32": value_or_none(
                lambda: backends.cudnn.allow_tf32),
            "torch_matmul_precision": value_or_none(
                lambda: torch.get_float32_matmul_precision()),
        })
    return found


def folder_without_bytecode(module):
    """Where a package lies that every process must compile anew, because
    it was installed without bytecode and a worker may not leave any."""
    cached = getattr(module.__spec__, "cached", None)
    if not cached or os.path.exists(cached):
        return None
    return os.path.dirname(os.path.abspath(module.__file__))


def address_bytes():
    """What importing torch takes of a process's addresses."""
    with open("/proc/self/status", encoding="ascii") as file:
        for line in file:
            if line.startswith("VmPeak:"):
                return int(line.split()[1]) * 1024
    return None


def facts(cuda=False):
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
        "torch_without_bytecode": None,
        "torch_address_bytes": None,
    }
    if torch:
        found.update({
            "torch_version": torch.__version__,
            "torch_cuda_version": torch.version.cuda,
            "torch_cudnn_version": torch.backends.cudnn.version(),
            "torch_threads_count": torch.get_num_threads(),
            "torch_build": torch.__config__.show(),
            "torch_parallel": torch.__config__.parallel_info(),
            "torch_without_bytecode": value_or_none(
                lambda: folder_without_bytecode(torch)),
            "torch_address_bytes": value_or_none(address_bytes),
        })
    if cuda:
        found.update(cuda_facts())
    return found


def main(arguments):
    if arguments not in ([], ["--cuda"]):
        # Whose lines Python 3.13 leaves without their indent.
        usage = textwrap.dedent(__doc__.split("\n\n", 1)[1])
        sys.stderr.write("usage:\n" + textwrap.indent(usage, "    "))
        return 2
    print(json.dumps(facts(cuda=bool(arguments)), sort_keys=True))
    return 0


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # to take torch down takes a third as long as to import it
