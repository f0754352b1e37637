"""tell.py MODULE LINK...: what a process may do and sees, for two ways to start one
to be compared: one line a fact. Numbers that the kernel gives out in turn are left
out. MODULE: what a server has imported. LINK: what the supervisor's links in
/proc/self/ns say.
"""

import ctypes
import locale
import os
import random
import re
import resource
import signal
import sys
import threading

# Sizes, counts of switches, and numbers of processes.
PASSING = ("Vm", "Rss", "Hugetlb", "voluntary", "nonvoluntary", "FDSize", "Pid",
           "Tgid", "PPid", "Ngid", "NS", "SigQ", "Cpus_allowed", "CoreDumping",
           "x86_Thread")
PRCTL = {"pdeathsig": 2, "keepcaps": 7, "dumpable": 3, "timing": 13,
         "securebits": 27, "slack": 30, "subreaper": 37, "thp": 42,
         "no_new_privs": 39, "seccomp": 21}
ASKED = "pdeathsig", "subreaper"  # which store their answer
libc = ctypes.CDLL(None, use_errno=True)


def lines(path):
    try:
        with open(path, errors="replace") as file:
            return file.read().splitlines()
    except OSError as error:
        return [error.strerror]


def say(name, value):
    print("%s: %s" % (name, value))


def tell_status():
    for line in lines("/proc/self/status"):
        if not line.startswith(PASSING):
            say("status", line)
    for name, number in sorted(PRCTL.items()):
        answer = ctypes.c_int(0)
        where = ctypes.byref(answer) if name in ASKED else None
        say("prctl", (name, libc.prctl(number, where, 0, 0, 0), answer.value))


def tell_mounts():
    """Mounts and file systems by the order in which they first come."""
    numbers, devices = {}, {}
    for line in lines("/proc/self/mountinfo"):
        words = line.split()
        for i, seen in (0, numbers), (1, numbers), (2, devices):
            words[i] = str(seen.setdefault(words[i], len(seen)))
        words = [re.sub(r":\d+$", ":", word) if word.startswith(
            ("shared:", "master:")) else word for word in words]
        say("mount", " ".join(words))


def tell_limits():
    for line in lines("/proc/self/limits"):
        say("limit", line)
    for which in os.PRIO_PROCESS, os.PRIO_PGRP:
        say("priority", os.getpriority(which, 0))
    for name in "oom_score_adj", "coredump_filter", "timerslack_ns":
        say(name, lines("/proc/self/" + name))
    say("cgroup", [re.sub(r"\d+-\d+$", "own", line)
                   for line in lines("/proc/self/cgroup")])


def tell_namespaces(links):
    for name, theirs in zip(sorted(os.listdir("/proc/self/ns")), links):
        ours = os.readlink("/proc/self/ns/" + name)
        say("namespace", (name, "the supervisor's" if ours == theirs else "own"))
    for name in "uid_map", "gid_map", "setgroups":
        say(name, lines("/proc/self/" + name))


def tell_descriptors():
    for name in sorted(os.listdir("/proc/self/fd"), key=int):
        try:
            target = os.readlink("/proc/self/fd/" + name)
        except OSError:  # the directory that is being listed
            continue
        flags = [line for line in lines("/proc/self/fdinfo/" + name)
                 if line.startswith("flags")]
        say("descriptor", (name, re.sub(r"\d+", "", target), flags))


def tell_process():
    say("ids", (os.getresuid(), os.getresgid(), os.getgroups()))
    say("group", (os.getpgrp() == os.getpid(), os.getsid(0) == os.getppid()))
    say("cwd", os.getcwd())
    say("umask", os.umask(0o22))
    say("processors", len(os.sched_getaffinity(0)))
    say("scheduler", (os.sched_getscheduler(0), os.sched_getparam(0)))
    say("owner", [os.stat("/proc/self/" + name).st_uid
                  for name in ("mem", "environ", "fd")])
    say("memory", os.access("/proc/self/mem", os.W_OK))
    say("processes", sum(name.isdigit() for name in os.listdir("/proc")) < 4)
    say("mask", signal.pthread_sigmask(signal.SIG_BLOCK, []))
    for number in sorted(signal.valid_signals()):
        say("signal", (number, signal.getsignal(number)))
    # Of no process, since an init to which root attaches may stay stopped.
    say("refused", (libc.ptrace(16, 0, 0, 0), ctypes.get_errno(),
                    libc.unshare(0x10000000)))


def tell_files():
    """What Landlock, which /proc does not tell of, lets through."""
    for path in ("/etc/passwd", "/etc/hostname", "/etc/shadow", "/var/log", "/bin/sh",
                 "/root", "/home", "/sys/kernel", "/proc/cpuinfo", "/dev/null"):
        try:
            os.close(os.open(path, os.O_RDONLY))
            say("open", (path, "yes"))
        except OSError as error:
            say("open", (path, error.strerror))
    for folder in "/tmp", "/dev/shm", "/var/tmp", ".", os.path.dirname(__file__):
        try:
            path = os.path.join(folder, "kb-tell")
            open(path, "x").close()
            os.unlink(path)
            say("create", (folder, "yes"))
        except OSError as error:
            say("create", (folder, error.strerror))


def tell_layers():
    """Of Landlock a process can have sixteen: how many more."""
    rules = ctypes.c_uint64(1)  # executing
    fd = libc.syscall(444, ctypes.byref(rules), ctypes.c_size_t(8), 0)
    count = 0
    while fd >= 0 and not libc.syscall(446, fd, 0):
        count += 1
    say("layers", count)


def tell_python():
    say("argv", (sys.argv[0], sys.orig_argv[:3], len(sys.argv)))
    say("path", sys.path)
    say("executable", (sys.executable, sys.prefix, sys.flags))
    for name, value in sorted(os.environ.items()):
        say("environment", (name, value))
        libc.getenv.restype = ctypes.c_char_p
        say("getenv", libc.getenv(name.encode()))
    for name in "stdin", "stdout", "stderr":
        stream = getattr(sys, name)
        say(name, (stream.name, stream.mode, stream.encoding, stream.errors,
                   stream.line_buffering, stream.isatty(),
                   stream.seekable(), stream.write_through,
                   type(getattr(stream, "buffer", None))))
    main = sys.modules["__main__"]
    say("main", sorted((name, type(getattr(main, name)).__name__)
                       for name in vars(main) if name.startswith("__")))
    say("file", main.__file__)
    say("threads", (threading.active_count(), len(os.listdir("/proc/self/task"))))
    say("hash", hash("kb"))
    say("drawn", random.random())
    say("locale", (locale.setlocale(locale.LC_ALL), sys.getfilesystemencoding()))
    say("recursion", sys.getrecursionlimit())
    say("stack", resource.getrlimit(resource.RLIMIT_STACK))


def tell_torch():
    """Before and after all that threads compute with has been used."""
    import torch
    say("torch", (torch.get_num_threads(), torch.get_num_interop_threads()))
    say("drawn", torch.initial_seed())
    say("parallel", torch.__config__.parallel_info())
    a = torch.ones(512, 512)
    say("product", (a @ a).sum().item())
    say("sum", torch.ones(1 << 22).add(1).sum().item())
    # Not how many: OpenBLAS of numpy starts its own again when they are wanted.
    say("threads", len(os.listdir("/proc/self/task")) >= torch.get_num_threads())
    # Not SigCgt: kb_torch_options.forget_handlers() sees to that.
    say("signals", [line for line in lines("/proc/self/status")
                    if line.startswith(("SigPnd", "SigBlk", "SigIgn"))])


def main(module, *links):
    if module == "torch":
        return tell_torch()
    tell_status()
    tell_mounts()
    tell_limits()
    tell_namespaces(links)
    tell_descriptors()
    tell_process()
    tell_files()
    tell_python()
    tell_layers()


main(*sys.argv[1:])
