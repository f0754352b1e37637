"""An extension of which one half does not compile ends before the other half is.

An extension has a file for the host, which takes half a minute for torch's headers,
and one for the device, in which most of a candidate's own code and most of its
errors are. So, in a build, where one compiler may run at a time the device's go
first; and where several may, the first that fails ends the others. Commands and
flags are torch's, as is what ninja says of what failed.
"""

import os
import re
import select
import signal
import subprocess

from kb_torch_headers import variables
from kb_torch_written import intercept

# What ninja says of a failure it says at once.
SAID_S = 0.3

STOPPED = b"ninja: build stopped: "


def device_objects(directory):
    """What nvcc makes, by the file that torch has written for ninja."""
    try:
        with open(os.path.join(directory, "build.ninja"),
                  encoding="utf-8") as file:
            return re.findall(r"^build (\S+): cuda_compile ", file.read(),
                              re.MULTILINE)
    except (OSError, ValueError):
        return []


def jobs_of(command):
    return command[command.index("-j") + 1] if "-j" in command[:-1] else None


def read_until_failure(process):
    """What it prints, to the end or until something has failed and it is silent."""
    said = b""
    while True:
        wait_s = SAID_S if re.search(rb"^FAILED: ", said, re.MULTILINE) else None
        if not select.select([process.stdout], [], [], wait_s)[0]:
            return said, True
        more = os.read(process.stdout.fileno(), 1 << 16)
        if not more:
            return said, False
        said += more


def run_to_first_failure(command, **options):
    """As subprocess.run() with check and a pipe for what it prints."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, **options) as process:
        said, is_over = read_until_failure(process)
        if is_over:
            process.send_signal(signal.SIGINT)
            process.stdout.read()
            process.wait()
            raise subprocess.CalledProcessError(
                1, command, said + STOPPED + b"subcommand failed.\n")
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, said)
    return subprocess.CompletedProcess(command, 0, said)


class Runner:
    """Stands for the module subprocess where torch runs ninja."""

    def __getattr__(self, name):
        return getattr(subprocess, name)

    @staticmethod
    def run(command, **options):
        if (command[:1] != ["ninja"] or not options.get("check")
                or options.get("stdout") != subprocess.PIPE):
            return subprocess.run(command, **options)
        folder = options.get("cwd") or "."
        options["env"] = variables(folder, options.get("env") or os.environ)
        first = device_objects(folder)
        if jobs_of(command) == "1" and first:
            subprocess.run(command + first, **options)
        del options["check"], options["stdout"]
        return run_to_first_failure(command, **options)


def end_with_first_half():
    """From now on, in a build."""
    from torch.utils import cpp_extension

    def make(run):
        def ending(build_directory, verbose, error_prefix):
            if verbose or cpp_extension.subprocess is not subprocess:
                return run(build_directory, verbose, error_prefix)
            cpp_extension.subprocess = Runner()
            try:
                return run(build_directory, verbose, error_prefix)
            finally:
                cpp_extension.subprocess = subprocess
        return ending

    intercept(make)
