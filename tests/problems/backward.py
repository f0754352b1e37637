#!/usr/bin/env python3
"""backward.py BIN: the files of problems/backward, beside what
tools/without-gradients finds of each suite of gradients at small sizes.

Every problem that a file leaves out has no gradients, for the reason that it
says, and one in SAMPLE of the others has some. What is left out is listed with
all of its level where no small sizes are, and not looked at. What the installed
torch cannot run is skipped. TAP on standard output.
"""

import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(sys.argv[1]).resolve()
SAMPLE = 16
# Minutes on a CPU, even small.
LONG = ("3/1", "3/2")
FILES = {"kernelbench": "kernelbench-small"}
number = bad = 0


def result(name, why=None, skip=None):
    global number, bad
    number += 1
    if why:
        bad = 1
        print("#", why)
    print("not ok" if why else "ok", number, "-", name,
          *(["# SKIP", skip] if skip else []))
    sys.stdout.flush()


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True,
                          text=True)
    if done.returncode:
        raise SystemExit("%s: %s" % (command[0], done.stderr))
    return done.stdout.split()


def derive(suite, store, *words):
    made = run(BIN / "kb-pack", "suite", ROOT / "problems" / suite,
               "--backward", "--store", store, *words)[-1]
    run(BIN / "kb-verify", "--store", store, made)
    return store / made


def load_tool():
    loader = importlib.machinery.SourceFileLoader(
        "without_gradients", str(ROOT / "tools" / "without-gradients"))
    spec = importlib.util.spec_from_loader("without_gradients", loader)
    tool = importlib.util.module_from_spec(spec)
    loader.exec_module(tool)
    return tool


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
    record = json.loads((derive(suite, store, "--leave-out", file) /
                         "data/manifest.json").read_text())
    told = {p["key"]: p["reason"] for p in record["backward"]["left_out"]}
    result("%s: what is left out is told" % suite,
           None if told == left_out else "it is %s" % told)
    small = derive(suite, store, "--sizes",
                   ROOT / "problems/sizes" / (sizes + ".json"))
    files = tool.problem_files(small / "data/problems")
    kept = [key for key, _ in files if key not in left_out]
    for key, path in files:
        if key in left_out or (kept.index(key) % SAMPLE == 0
                               and key not in LONG):
            check_problem(tool, "%s %s" % (suite, key), path,
                          left_out.get(key))


def main():
    if not importlib.util.find_spec("torch"):
        print("1..0 # SKIP '%s' has no torch" % sys.executable)
        return 0
    import torch
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    files = sorted(p.stem for p in (ROOT / "problems/backward").glob("*.json"))
    result("each file is tried", None if files == sorted(FILES) else files)
    tool = load_tool()
    with tempfile.TemporaryDirectory() as scratch:
        for suite, sizes in FILES.items():
            check_file(tool, suite, sizes, pathlib.Path(scratch))
        run("chmod", "-R", "u+w", scratch)
    print("1..%d" % number)
    return bad


if __name__ == "__main__":
    sys.exit(main())
