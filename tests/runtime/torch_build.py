"""torch_build.py LIBEXEC: what kb_torch_build.py makes of a candidate, and how it
ends. TAP on stdout."""

import os
import sys
import tempfile

from torch_rig import need

need("torch")

import kb_torch_answers
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
    "names = {}; "
    "exec(compile(%r, '/torch/utils/cpp_extension.py', 'exec'), names); "
    "names['_run_ninja_build']()\n" % (RUN % words)
    for words in ("\\na.cu(1): error: no", "\\nKilled"))
FACTS = {"name": "NVIDIA H200", "compute_capability": "9.0",
         "multiprocessors": 132}
ASKS = "import torch\nassert torch.cuda.is_available()\n"
ANSWERS = ASKS + """
c = torch.cuda
assert (c.device_count(), c.current_device()) == (1, 0)
for device in None, 0, "cuda", "cuda:0", torch.device("cuda", 0):
    assert c.get_device_name(device) == "NVIDIA H200"
    assert c.get_device_capability(device) == (9, 0)
    assert c.get_device_properties(device).multi_processor_count == 132
assert not c.is_initialized()
"""

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
    ("a build is told of the device", ANSWERS + MODEL + "pass\n", PROBLEM, 0,
     False),
    ("a model is made for the device", NAMED + ASKS + MODEL + MADE, PROBLEM, 0,
     True),
    ("of another property nothing is known",
     "import torch\ntorch.cuda.get_device_properties(0).total_memory\n",
     PROBLEM, 6, False),
    ("which has no other value either",
     "import torch\ngetattr(torch.cuda.get_device_properties(0), 'x', 1)\n",
     PROBLEM, 6, False),
    ("there is no second device",
     "import torch\ntorch.cuda.get_device_name(1)\n", PROBLEM, 6, False),
    ("nor is the CPU it",
     "import torch\ntorch.cuda.get_device_name('cpu')\n", PROBLEM, 6, False),
    ("nothing is on the device",
     "import torch\ntorch.zeros(1, device='cuda')\n", PROBLEM, 6, False),
    ("no import", "1 / 0\n", PROBLEM, 6, False),
    ("an import that exits", "raise SystemExit(0)\n", PROBLEM, 6, False),
]
TOO_FEW = ["candidate.py"], ["--device"], ["--device", "{}", "candidate.py"]


def put(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def run(folder, candidate, problem):
    place = os.path.join(folder, "made")
    status = kb_torch_build.build(
        put(os.path.join(folder, "candidate.py"),
            "PLACE = %r\n" % place + candidate),
        put(os.path.join(folder, "problem.py"), problem), "kernelbench")
    return status, os.path.exists(place + "7")


def main():
    kb_torch_answers.answer(FACTS)
    print("1..%d" % (len(CASES) + len(TOO_FEW)), flush=True)
    good = True
    for n, (name, candidate, problem, *want) in enumerate(CASES, 1):
        with tempfile.TemporaryDirectory() as folder:
            got = list(run(folder, candidate, problem))
        if got != want:
            good = False
            print("# got %s, want %s" % (got, want))
        print("%sok %d - %s" % ("" if got == want else "not ", n, name),
              flush=True)
    for n, few in enumerate(TOO_FEW, len(CASES) + 1):
        status = kb_torch_build.main(few)
        good = good and status == 2
        print("%sok %d - %s is too little" % ("" if status == 2 else "not ", n,
                                              " ".join(few)))
    return 0 if good else 1


if __name__ == "__main__":
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # tracebacks
    with tempfile.TemporaryDirectory() as extensions:
        os.environ["TORCH_EXTENSIONS_DIR"] = extensions
        sys.exit(main())
