"""The torch runtime: runs a problem or a candidate in KernelBench's format.

    kb_torch.py [OPTION]... LIBKBRT reference PROBLEM
    kb_torch.py [OPTION]... LIBKBRT candidate PROBLEM CANDIDATE

    --cuda                      on the CUDA device, not the CPU
    --precision fp32|fp16|bf16  of a problem's modules and inputs
    --tf32 off|torch|on         may CUDA use it in place of float32?
    --deterministic off|on      only algorithms that torch says are
    --candidate-weights reference|own
                                does a candidate take over the reference's?
    --screened                  a candidate that is tried in one process with
                                its reference
    --mode MODE                 how a reference is run where it is timed:
                                eager, compile:default, cudagraphs, ...
    --alternate INPUT:SCALE:SHIFT[,...]
                                what becomes of a reference's inputs where the
                                supervisor asks for alternate ones

    --ranks N                   several processes, each a rank of a group

Both are workers: they speak src/run/worker/protocol.h through LIBKBRT, the library
that all runtimes share, and never with anybody else. A PROBLEM of "-" stands
for one that is not in Python: its ModelNew is built without arguments.
kb-torch(7) tells people what this program expects of files.

Nothing that a candidate does to this process can make a wrong result right:
clock, seeds and comparison are the supervisor's.
"""

import contextlib
import gc
import os
import sys

from kb_torch_errors import (Refused, Unsupported, explain, flush,
                             is_build_error, ran_out_of_memory, say,
                             speak_for)
from kb_torch_library import Library
from kb_torch_options import begin, parse


def say_if_memory_lacked():
    """Code that catches this may fail otherwise than alone: see
    kb_reason_is_of_machine()."""
    cuda = sys.modules["torch"].cuda
    with contextlib.suppress(Exception):
        if cuda.is_initialized() and cuda.memory_stats()["num_ooms"]:
            say("torch was out of memory before\n")


class Service:
    """Questions in, acks out."""

    def __init__(self, library, worker):
        number = library.number
        self.lib = library
        self.worker = worker
        self.ok = number("KB_ACK_OK")
        load_failed = number("KB_ACK_LOAD_FAILED")
        run_failed = number("KB_ACK_RUN_FAILED")
        self.operations = {  # and what a failure without a better name is
            number("KB_OP_LOAD"): (self.load, load_failed),
            number("KB_OP_POOL"): (worker.map_pool, run_failed),
            number("KB_OP_SLOT"): (worker.map_slot, run_failed),
            number("KB_OP_GENERATE"): (worker.generate, run_failed),
            number("KB_OP_RUN"): (self.run, run_failed),
            number("KB_OP_FP64_ERROR"): (worker.fp64_error, run_failed),
            number("KB_OP_KERNELS"): (worker.count_kernels, run_failed),
            number("KB_OP_TRY"): (worker.try_call, run_failed),
        }

    def load(self):
        self.worker.load()
        # What is loaded stays: later collections need not look at it.
        gc.collect()
        gc.freeze()

    def run(self):
        self.worker.run(lambda: self.acknowledge(self.ok))

    def acknowledge(self, code):
        flush()
        self.lib.ack(code)

    def code_of(self, error, otherwise):
        if isinstance(error, Refused):
            return error.code
        if isinstance(error, Unsupported):
            return self.lib.number("KB_ACK_UNSUPPORTED")
        if ran_out_of_memory(error):
            return self.lib.number("KB_ACK_NO_MEMORY")
        if is_build_error(error):
            return self.lib.number("KB_ACK_BUILD_FAILED")
        return otherwise

    def attempt(self, operation, otherwise):
        try:
            operation()
            return self.ok
        except BaseException as error:  # sys.exit() is no way to succeed
            code = self.code_of(error, otherwise)
            if code == self.lib.number("KB_ACK_CODE_COUNT"):
                raise
            say_if_memory_lacked()
            explain(error)
            return code

    def serve(self):
        while True:
            op = self.lib.receive()
            if not op:
                return
            self.acknowledge(self.attempt(*self.operations[op]))


def main(arguments):
    parsed = parse(arguments)
    if not parsed:
        say("usage:\n" + "\n\n".join(__doc__.split("\n\n")[1:3]) + "\n")
        return 2
    options, (path, role, *files) = parsed
    torch = begin("kb_torch", options)
    if not torch:
        return 4
    from kb_torch_ranks import fork_ranks
    from kb_torch_screened import Screened
    from kb_torch_worker import Candidate, Reference

    sys.stdout.reconfigure(line_buffering=True)
    roles = {"reference": Reference,
             "candidate": Screened if options.screened else Candidate}
    library = Library(path)
    if options.ranks > 1:
        options.rank = fork_ranks(library, options.ranks)
        library.set_rank(options.rank, options.ranks)
        speak_for(options.rank)
    status = 0
    try:
        with torch.no_grad():
            worker = roles[role](library, options, *files)
            Service(library, worker).serve()
    except Refused as error:  # the supervisor and we disagree
        explain(error)
        status = library.number("KBRT_EXIT_LOST")
    flush()
    os._exit(status)  # what the code registered for the end is not ours


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
