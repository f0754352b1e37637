#!/usr/bin/env python3
"""sizes.py BIN: the files of problems/sizes, each as kb-pack applies it to its
suite.

Of every problem: Python's own reader finds that constants are others, those
that the file names, and nothing else is; and the module is built and run at
these sizes on the meta device, where tensors have shapes alone, so that groups
divide channels and outputs have as many dimensions as before. What is small is
also run on the CPU, one problem of SAMPLE, twice. What is odd is no multiple
of 16. TAP on standard output; what the installed torch or a missing package
cannot run is skipped.
"""

import ast
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BIN = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(HERE))
SAMPLE = 8
# Those of level 3 that take seconds on a CPU.
LONG = ("3/2", "3/11", "3/12", "3/29", "3/30")
SMALL_BYTES_MAX = 8 << 30
FILES = {"kernelbench-small": "kernelbench",
         "kernelbench-v3-small": "kernelbench-v3",
         "kernelbench-odd": "kernelbench"}
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


def derive(name, suite, store):
    """The derived bundle, after kb-verify has said yes to it."""
    made = run(BIN / "kb-pack", "suite", ROOT / "problems" / suite,
               "--sizes", ROOT / "problems" / "sizes" / (name + ".json"),
               "--store", store)[-1]
    run(BIN / "kb-verify", "--store", store, made)
    return store / made


# --- what was changed ------------------------------------------------------

def expect_only(before, after, sizes):
    """Both modules are the same once the constants of one are the other's."""
    tree, left = ast.parse(before), dict(sizes)
    for node in tree.body:
        if isinstance(node, ast.Assign) and \
                getattr(node.targets[0], "id", None) in left:
            node.value = ast.Constant(left.pop(node.targets[0].id))
    if left:
        return "no constants: %s" % left
    if ast.dump(tree) != ast.dump(ast.parse(after)):
        return "other code is changed as well"
    return None


# --- whether it runs -------------------------------------------------------

def load_tool():
    loader = importlib.machinery.SourceFileLoader(
        "describe_suite", str(ROOT / "tools" / "describe-suite"))
    spec = importlib.util.spec_from_loader("describe_suite", loader)
    tool = importlib.util.module_from_spec(spec)
    loader.exec_module(tool)
    return tool


def described(tool, path):
    """Facts, or None with a reason."""
    try:
        return tool.describe(str(path)), None
    except Exception as e:      # whatever a module raises
        return None, "%s: %s" % (type(e).__name__, str(e).splitlines()[0])


def dimensions(facts):
    return [[len(t["shape"]) for t in facts[member] if "shape" in t]
            for member in ("inputs", "outputs")]


def check_shapes(tool, name, key, before, after, old):
    """`old` has the facts of the suite.json, which tests/problems-described finds."""
    new, why = described(tool, after)
    if new is None and described(tool, before)[0] is None:
        result("%s %s: shapes" % (name, key), skip=why)
        return
    if new is not None:
        if dimensions(old) != dimensions(new):
            why = "%s became %s" % (dimensions(old), dimensions(new))
        elif new["requires"]["device_bytes"] > (
                SMALL_BYTES_MAX if "small" in name else
                old["requires"]["device_bytes"] * 1.1):
            why = "needs %d bytes" % new["requires"]["device_bytes"]
    result("%s %s: shapes" % (name, key), why)


def run_on_cpu(name, key, path):
    import check
    try:
        check.check(str(path), {})
        result("%s %s: runs on the CPU" % (name, key))
    except check.Unable as e:
        result("%s %s: runs on the CPU" % (name, key), skip=str(e))
    except Exception as e:      # whatever a module raises
        result("%s %s: runs on the CPU" % (name, key),
               "%s: %s" % (type(e).__name__, e))


def check_file(tool, name, suite, store):
    sizes = json.loads((ROOT / "problems/sizes" / (name + ".json"))
                       .read_text())
    facts = json.loads((ROOT / "problems" / suite / "suite.json").read_text())
    bundle = derive(name, suite, store)
    problems = json.loads((bundle / "data/manifest.json").read_text())[
        "problems"]
    result("%s: all that are named" % name,
           None if {p["key"] for p in problems} == set(sizes) else "others")
    for i, p in enumerate(problems):
        key, after = p["key"], bundle / p["file"]
        before = (ROOT / "problems" / suite /
                  p["file"].removeprefix("data/problems/"))
        result("%s %s: constants alone" % (name, key), expect_only(
            before.read_text(), after.read_text(), sizes[key]))
        check_shapes(tool, name, key, before, after, facts["problems"][key])
        if "small" in name and i % SAMPLE == 0 and key not in LONG:
            run_on_cpu(name, key, after)
        if "odd" in name:
            tuned = [c for c, v in sizes[key].items() if v % 16 == 0]
            result("%s %s: no multiples of 16" % (name, key),
                   tuned and "these are: %s" % tuned)


def main():
    if not importlib.util.find_spec("torch"):
        print("1..0 # SKIP '%s' has no torch" % sys.executable)
        return 0
    import torch
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    files = sorted(p.stem for p in (ROOT / "problems/sizes").glob("*.json"))
    result("each file is tried", None if files == sorted(FILES) else files)
    tool = load_tool()
    with tempfile.TemporaryDirectory() as scratch:
        for name, suite in FILES.items():
            check_file(tool, name, suite, pathlib.Path(scratch))
        run("chmod", "-R", "u+w", scratch)
    print("1..%d" % number)
    return bad


if __name__ == "__main__":
    sys.exit(main())
