"""Builds a candidate: imports it, without a device, and ends.

    kb_torch_build.py [OPTION]... CANDIDATE

Options are those of kb_torch.py. What the candidate compiles while it is
imported lies in the directories for that when this program has ended. The exit
status is 0 if it could be imported, 5 if a compiler that torch runs for
extensions failed, and 6 if anything else was in the way; then the last line that
was printed says what.

Nothing here is trusted: a candidate that ends this process as if it had been
built is built, or fails, where it runs.
"""

import os
import sys

from kb_torch_errors import explain, flush, headline, is_compiler_error, say
from kb_torch_options import begin, parse

SEED = 0  # of chance at the top level of the candidate


def build(path):
    from kb_torch_calls import import_file

    try:
        import_file("kb_candidate", path, SEED)
    except BaseException as error:  # sys.exit() is none of ours
        explain(error)
        flush()
        say(headline(error) + "\n")
        return 5 if is_compiler_error(error) else 6
    return 0


def main(arguments):
    parsed = parse(arguments[:-1] + ["-", "candidate", "-"] + arguments[-1:])
    if not parsed:
        say("usage:\n" + __doc__.split("\n\n")[1] + "\n")
        return 2
    options, (_, _, _, path) = parsed
    torch = begin("kb_torch_build", options)
    if not torch:
        return 6
    with torch.no_grad():
        status = build(path)
    flush()
    os._exit(status)  # what the code registered for the end is not ours


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
