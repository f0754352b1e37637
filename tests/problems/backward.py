#!/usr/bin/env python3
"""backward.py BIN: the files of problems/backward, beside what
tools/without-gradients finds of each suite of gradients at small sizes.

Every problem that a file leaves out has no gradients, for the reason that it
says, and one in SAMPLE of the others has some. What is left out is listed with
all of its level where no small sizes are, and not looked at. What the installed
torch cannot run is skipped. TAP on standard output.
"""

import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from derived import ROOT, check_all, derive, result  # noqa: E402

SAMPLE = 16
# Minutes on a CPU, even small.
LONG = ("3/1", "3/2")
FILES = {"kernelbench": "kernelbench-small"}


def check_problem(tool, name, path, want):
    try:
        why = tool.why_none(path)
    except tool.Lacking as lacking:
        result(name, skip=str(lacking))
        return
    result(name, None if why == want else "%s, want %s" % (why, want))


def check_file(tool, suite, sizes, store):
    file = ROOT / "problems/backward" / (suite + ".json")
    left_out = json.loads(file.read_text())
    record = json.loads((derive(suite, store, "--backward",
                                "--leave-out", file) /
                         "data/manifest.json").read_text())
    told = {p["key"]: p["reason"] for p in record["backward"]["left_out"]}
    result("%s: what is left out is told" % suite,
           None if told == left_out else "it is %s" % told)
    small = derive(suite, store, "--backward", "--sizes",
                   ROOT / "problems/sizes" / (sizes + ".json"))
    files = tool.problem_files(small / "data/problems")
    kept = [key for key, _ in files if key not in left_out]
    for key, path in files:
        if key in left_out or (kept.index(key) % SAMPLE == 0
                               and key not in LONG):
            check_problem(tool, "%s %s" % (suite, key), path,
                          left_out.get(key))


if __name__ == "__main__":
    sys.exit(check_all("backward", FILES, "without-gradients", check_file))
