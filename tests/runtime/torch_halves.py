"""torch_halves.py LIBEXEC: an extension of which one half does not compile ends
before the other half is compiled. TAP on stdout."""

import os
import shutil
import subprocess
import sys
import tempfile

from torch_rig import need

need("torch.utils.cpp_extension")
from torch.utils import cpp_extension
if not shutil.which("ninja"):
    print("1..0 # SKIP there is no ninja")
    sys.exit(0)

from kb_torch_failures import is_found, words_of
from kb_torch_halves import end_with_first_half

count = 0
NINJA = """ninja_required_version = 1.3
rule compile
  command = %s

rule cuda_compile
  command = %s

rule link
  command = cat $in > $out

build main.o: compile main.cpp
build cuda.cuda.o: cuda_compile cuda.cu
build it.so: link main.o cuda.cuda.o
default it.so
"""
GOOD = "cp $in $out"
BAD = "echo '$in:1:2: error: no'; exit 1"
FOR_EVER = "sleep 1000; cp $in $out"


def check(ok, what):
    global count
    count += 1
    print("%sok %d - %s" % ("" if ok else "not ", count, what), flush=True)


def build(jobs, host, device):
    """What is there after it, and the words of what failed."""
    os.environ["MAX_JOBS"] = jobs
    with tempfile.TemporaryDirectory() as folder:
        for name in "main.cpp", "cuda.cu":
            with open(os.path.join(folder, name), "w") as file:
                file.write(name)
        with open(os.path.join(folder, "build.ninja"), "w") as file:
            file.write(NINJA % (host, device))
        words = None
        try:
            cpp_extension._run_ninja_build(folder, False, "no")
        except RuntimeError as error:
            words = words_of(error)
        made = sorted(n for n in os.listdir(folder) if n.endswith((".o", ".so")))
        return made, words


end_with_first_half()
ALL = ["cuda.cuda.o", "it.so", "main.o"]
for jobs in "1", "2":
    check(build(jobs, GOOD, GOOD) == (ALL, None),
          "what compiles is built, by %s at a time" % jobs)
made, words = build("1", GOOD, BAD)
check(made == [], "of a bad half for the device the host's is not begun")
check(is_found(words), "and it is the code, by what was said")
made, words = build("1", BAD, GOOD)
check(made == ["cuda.cuda.o"] and is_found(words), "nor hides a bad half for the "
      "host")
for host, device in (FOR_EVER, BAD), (BAD, FOR_EVER):
    made, words = build("2", host, device)
    check(made == [] and is_found(words) and "interrupted" not in words,
          "of two at a time the first that fails ends the other")
    check(words.endswith("ninja: build stopped: subcommand failed.\n"),
          "as ninja says it")
check(cpp_extension.subprocess is subprocess, "torch has its module again")
print("1..%d" % count)
