"""Builds a candidate, without a device, and ends.

    kb_torch_build.py [--device FACTS] [OPTION]... CANDIDATE PROBLEM

Options are those of kb_torch.py; FACTS are those of kb_torch_answers.py, as JSON,
of the GPU that the run is for. The candidate is imported. If its text names
torch's module for extensions, one of its models is made as well, as the problem
says: most extensions are compiled where they are used first. What it compiles
lies in the directories for that when this program has ended, and beside it what
did not compile and need not be tried again (kb_torch_failures.py), and what was
compiled and need not be either (kb_torch_sources.py). The exit
status is 0 if it could be imported, whatever became of the model, which may need
the device; 5 if a compiler that torch runs for extensions failed, and would do so
again; and 6 if anything else was in the way; then the last line that was printed
says what.

Nothing here is trusted: a candidate that ends this process as if it had been
built is built, or fails, where it runs.
"""

import json
import os
import sys

from kb_torch_errors import explain, flush, is_compiler_error, say
from kb_torch_failures import is_final, note_failures
from kb_torch_halves import end_with_first_half
from kb_torch_options import begin, parse
from kb_torch_sources import note_sources
from kb_torch_written import may_have_extensions

SEED = 0  # of chance at the top level of the candidate


def fail(error):
    explain(error)
    return 5 if is_compiler_error(error) and is_final(error) else 6


def make_model(candidate, problem_path, conventions):
    from kb_torch_calls import candidate_class, construct, import_file

    try:
        problem = import_file("kb_problem", problem_path, SEED)
        construct(candidate_class(candidate, conventions), problem, SEED)
    except BaseException as error:
        return fail(error) if is_compiler_error(error) else 0
    return 0


def build(path, problem_path, conventions):
    from kb_torch_calls import import_file

    try:
        if may_have_extensions(path):
            end_with_first_half()
            note_failures()
            note_sources()
        candidate = import_file("kb_candidate", path, SEED)
    except BaseException as error:  # sys.exit() is none of ours
        return fail(error)
    if not may_have_extensions(path):
        return 0
    return make_model(candidate, problem_path, conventions)


def take_device(arguments):
    """Its facts, or None, and the other arguments."""
    if arguments[:1] != ["--device"] or len(arguments) < 2:
        return None, arguments
    return json.loads(arguments[1]), arguments[2:]


def main(arguments):
    device, arguments = take_device(arguments)
    parsed = parse(arguments[:-2] + ["-", "candidate"] + arguments[-2:])
    if not parsed:
        say("usage:\n" + __doc__.split("\n\n")[1] + "\n")
        return 2
    options, (_, _, path, problem_path) = parsed
    torch = begin("kb_torch_build", options)
    if not torch:
        return 6
    if device:
        from kb_torch_answers import answer

        answer(device)
    with torch.no_grad():
        status = build(path, problem_path, options.conventions)
    flush()
    os._exit(status)  # what the code registered for the end is not ours


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
