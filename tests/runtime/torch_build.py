"""torch_build.py LIBEXEC: what kb_torch_build.py makes of a candidate, and how it
ends. TAP on stdout."""

import os
import sys
import tempfile

try:
    import torch  # noqa: F401
except Exception:
    print("1..0 # SKIP there is no torch")
    sys.exit(0)

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

import kb_torch_build

PROBLEM = "def get_init_inputs(): return [3, 4]\n"
NAMED = "# torch.utils.cpp_extension\n"
MODEL = "class ModelNew:\n    def __init__(self, *numbers): "
MADE = "open(PLACE + str(sum(numbers)), 'w')\n"
# As torch does when its compiler fails, which says so.
RUN = """def _run_ninja_build():
    from subprocess import CalledProcessError
    raise RuntimeError from CalledProcessError(1, [], b"FAILED: %s")
"""
FAILS, KILLED = (
    "exec(compile(%r, '/torch/utils/cpp_extension.py', 'exec')); "
    "locals()['_run_ninja_build']()\n" % (RUN % words)
    for words in ("\\na.cu(1): error: no", "\\nKilled"))

# What it is; the candidate; the problem; how it ends; was a model made?
CASES = [
    ("a model is made", NAMED + MODEL + MADE, PROBLEM, 0, True),
    ("not without extensions", MODEL + MADE, PROBLEM, 0, False),
    ("a model that needs the device", NAMED + MODEL + "1 / 0\n", PROBLEM, 0,
     False),
    ("what it made before that is kept",
     NAMED + MODEL + MADE.rstrip() + "; 1 / 0\n", PROBLEM, 0, True),
    ("a model that exits", NAMED + MODEL + "raise SystemExit(3)\n", PROBLEM, 0,
     False),
    ("no model", NAMED, PROBLEM, 0, False),
    ("a problem that raises", NAMED + MODEL + MADE, "1 / 0\n", 0, False),
    ("a problem that is no Python", NAMED + MODEL + MADE, "int f(void);\n", 0,
     False),
    ("a compiler that fails for a model", MODEL + FAILS, PROBLEM, 5, False),
    ("a compiler that fails at once", FAILS, PROBLEM, 5, False),
    ("a compiler that was killed", KILLED, PROBLEM, 6, False),
    ("a compiler that was killed for a model", MODEL + KILLED, PROBLEM, 6,
     False),
    ("something else, after a compiler failed",
     "try:\n    " + FAILS + "except RuntimeError:\n    1 / 0\n", PROBLEM, 6,
     False),
    ("no import", "1 / 0\n", PROBLEM, 6, False),
    ("an import that exits", "raise SystemExit(0)\n", PROBLEM, 6, False),
]


def put(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def run(folder, candidate, problem):
    place = os.path.join(folder, "made")
    status = kb_torch_build.build(
        put(os.path.join(folder, "candidate.py"),
            "PLACE = %r\n" % place + candidate),
        put(os.path.join(folder, "problem.py"), problem))
    return status, os.path.exists(place + "7")


def main():
    print("1..%d" % (len(CASES) + 1), flush=True)
    good = True
    for n, (name, candidate, problem, *want) in enumerate(CASES, 1):
        with tempfile.TemporaryDirectory() as folder:
            got = list(run(folder, candidate, problem))
        if got != want:
            good = False
            print("# got %s, want %s" % (got, want))
        print("%sok %d - %s" % ("" if got == want else "not ", n, name),
              flush=True)
    status = kb_torch_build.main(["candidate.py"])
    good = good and status == 2
    print("%sok %d - one file is too few" % ("" if status == 2 else "not ",
                                             len(CASES) + 1))
    return 0 if good else 1


if __name__ == "__main__":
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # tracebacks
    with tempfile.TemporaryDirectory() as extensions:
        os.environ["TORCH_EXTENSIONS_DIR"] = extensions
        sys.exit(main())
