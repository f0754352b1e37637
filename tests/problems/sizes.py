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
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from derived import ROOT, check_all, derive, result  # noqa: E402

SAMPLE = 8
# Those of level 3 that take seconds on a CPU.
LONG = ("3/2", "3/11", "3/12", "3/29", "3/30")
SMALL_BYTES_MAX = 8 << 30
FILES = {"kernelbench-small": "kernelbench",
         "kernelbench-v3-small": "kernelbench-v3",
         "kernelbench-odd": "kernelbench"}


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
    bundle = derive(suite, store, "--sizes",
                    ROOT / "problems/sizes" / (name + ".json"))
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


if __name__ == "__main__":
    sys.exit(check_all("sizes", FILES, "describe-suite", check_file))
