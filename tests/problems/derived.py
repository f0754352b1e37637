"""What tests of derived suites share: kb's programs, tools of the tree, TAP on
standard output."""

import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(sys.argv[1]).resolve()
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
    """The derived bundle, after kb-verify has said yes to it."""
    made = run(BIN / "kb-pack", "suite", ROOT / "problems" / suite,
               "--store", store, *words)[-1]
    run(BIN / "kb-verify", "--store", store, made)
    return store / made


def load_tool(name):
    loader = importlib.machinery.SourceFileLoader(
        name.replace("-", "_"), str(ROOT / "tools" / name))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    tool = importlib.util.module_from_spec(spec)
    loader.exec_module(tool)
    return tool


def check_all(folder, files, tool, check_file):
    """Each file of problems/<folder>, which `files` has with its suite or its
    sizes. The exit status."""
    if not importlib.util.find_spec("torch"):
        print("1..0 # SKIP '%s' has no torch" % sys.executable)
        return 0
    import torch
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    found = sorted(p.stem for p in (ROOT / "problems" / folder).glob("*.json"))
    result("each file is tried", None if found == sorted(files) else found)
    loaded = load_tool(tool)
    with tempfile.TemporaryDirectory() as scratch:
        for name, other in files.items():
            check_file(loaded, name, other, pathlib.Path(scratch))
        run("chmod", "-R", "u+w", scratch)
    print("1..%d" % number)
    return bad
