"""Says on the control page whether a compiler is at work in this process.

What is compiled when a candidate is first called counts against another limit
than the call. A compiler that is a process of its own is seen from outside; but
Triton's, inductor's and others are libraries, called by the thread that calls the
candidate. So a second thread looks now and then at what that one is executing. It
does not look while native code holds Python's lock: then what it saw last holds,
be that a compiler or not.

Nothing here is trusted: who says that it compiles has the time for that, no more.
"""

import contextlib
import sys
import threading

from kb_torch_errors import BUILDERS

INTERVAL_S = 0.05

# Where torch.compile() is at work, from tracing on, when what it made is not.
TRACER = "/torch/_dynamo/convert_frame.py"

PARTS = (TRACER,) + tuple(part for of in BUILDERS.values()
                          for part in of["files"])
RUNS = tuple(part for of in BUILDERS.values() for part in of.get("runs", ()))

# Puts what was compiled on the device, which waits for the kernels that are there.
LOADER = "_init_handles"  # of Triton


def compiles(frame):
    """Is a compiler among these frames, from the innermost outwards, and is what
    it made not being run?"""
    while frame is not None:
        name = frame.f_code.co_filename
        if any(part in name for part in RUNS) or (
                frame.f_code.co_name == LOADER and "/triton/" in name):
            return False
        if any(part in name for part in PARTS):
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def watched(say):
    """Within this, `say` is told whether the calling thread is in a compiler, each
    time that this has changed. Where there can be no other thread it is not."""
    over = threading.Event()
    caller = threading.get_ident()

    def watch():
        said = False
        while not over.wait(INTERVAL_S):
            now = compiles(sys._current_frames().get(caller))
            if now != said:
                say(now)
            said = now

    thread = threading.Thread(target=watch, daemon=True)
    try:
        thread.start()
    except RuntimeError:
        thread = None
    try:
        yield
    finally:
        over.set()
        if thread:
            thread.join()
        say(False)
