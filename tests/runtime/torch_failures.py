"""torch_failures.py LIBEXEC: a compilation that was made, or failed, when a
candidate was built is not made again where it is measured, if it would be the
same. TAP on stdout."""

import os
import re
import shutil
import sys
import tempfile

from torch_rig import need

need("torch.utils.cpp_extension")
from torch.utils import cpp_extension

import kb_torch_failures
import kb_torch_sources
import kb_torch_written
from kb_torch_calls import import_file

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
RUN_NINJA = cpp_extension._run_ninja_build
FAILED = "[1/2] c++ a.cpp\nFAILED: a.o \nc++ a.cpp\n"
STOPPED = "ninja: build stopped: subcommand failed.\n"

# What ninja printed; is it the code?
WORDS = [
    ("", False),
    (STOPPED, False),
    ("a.cpp:1:2: error: no\n", False),
    (FAILED + STOPPED, False),
    (FAILED + "a.cpp:1:2: error: no\n" + STOPPED, True),
    (FAILED + "a.cpp:1:2: warning: no\n" + STOPPED, False),
    (FAILED + "a.cpp:1:2: fatal error: no.h: No such file or directory\n", True),
    (FAILED + "/tmp/a.cu(12): error: identifier \"f\" is undefined\n", True),
    (FAILED + "a.cu(12): catastrophic error: cannot open source file\n", True),
    (FAILED + "ptxas error   : Entry function 'f' uses too much shared data\n",
     True),
    (FAILED + "nvcc fatal   : Unsupported gpu architecture\n", True),
    (FAILED + "c++: error: unrecognized command-line option '-q'\n", True),
    (FAILED + "/usr/bin/ld: cannot find -lno\n"
     "collect2: error: ld returned 1 exit status\n", True),
    (FAILED + "c++: fatal error: Killed signal terminated program cc1plus\n",
     False),
    (FAILED + "nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n",
     False),
    (FAILED + "cc1plus: out of memory allocating 4072 bytes\n", False),
    (FAILED + "virtual memory exhausted: Cannot allocate memory\n", False),
    (FAILED + "a.cpp:1:2: internal compiler error: in f, at g.cc:1\n", False),
    (FAILED + "a.cpp:1:2: fatal error: error writing to /tmp/a.s: "
     "No space left on device\n", False),
    # One that the code is to blame for beside one that was killed.
    (FAILED + "a.cpp:1:2: error: no\n" + FAILED + "Terminated\n", False),
    (FAILED + "a.cpp:1:2: error: no\n" + FAILED + "b.cpp:1:2: error: no\n",
     True),
]

CANDIDATE = """
import os
import time
from torch.utils.cpp_extension import load
ROOT = os.environ["TORCH_EXTENSIONS_DIR"]
def put(name, text):
    with open(os.path.join(ROOT, name), "w") as file:
        file.write(text)
def attempt(name, text, **more):
    more.setdefault("is_python_module", False)
    os.makedirs(os.path.join(ROOT, name), exist_ok=True)
    put(name + ".cpp", text)
    try:
        load(name, [os.path.join(ROOT, name + ".cpp")], **more)
    except Exception as e:
        print("%s: %s: %s" % (name, type(e).__name__, e), flush=True)
ahead = os.path.exists(os.environ["AHEAD"])
"""
BAD = 'attempt("bad", "#error \\"not %s\\"\\n"%s)\n'
ONCE = BAD % ("this", "")

# What it is; the candidate; how often its compiler is started when it is built,
# and when it is measured.
STORIES = [
    ("what failed is not compiled again", ONCE, 1, 0),
    ("nor if ninja's words are printed", BAD % ("this", ", verbose=True"), 1, 0),
    ("nor the second attempt", ONCE + BAD % ("that", ""), 2, 0),
    ("nor beside what is made later", ONCE + 'put("later", "x")\n', 1, 0),
    ("what a killed compiler made is made again",
     'put("kill", "")\n' + ONCE, 1, 1),
    ("other source", 'attempt("bad", "#error \\"%d\\"\\n" % ahead)\n', 1, 1),
    ("another header",
     'put("a.h", "#error \\"%d\\"\\n" % ahead)\n'
     'attempt("bad", "#include \\"a.h\\"\\n")\n', 1, 1),
    ("a header that was not there",
     'if not ahead: put("new.h", "")\n'
     'attempt("bad", "#include \\"no.h\\"\\n")\n', 1, 1),
    ("a header that is no longer there",
     'if ahead: put("a.h", "")\n' 'else: os.path.exists(ROOT + "/a.h") and '
     'os.unlink(ROOT + "/a.h")\n' + ONCE, 1, 1),
    ("other flags",
     BAD % ("this", ', extra_cflags=["-DA=%d" % ahead]'), 1, 1),
    ("another environment",
     'os.environ["CPATH"] = "/%d" % ahead\n' + ONCE, 1, 1),
    ("the same change of the environment",
     'os.environ["CPATH"] = "/a"\n' + ONCE, 1, 0),
]

GOOD = 'attempt("good", "int f(void) { return %s; }\\n"%s)\n'

# The same of what compiles, and is written again.
SOURCES = [
    ("what is as it was is not compiled again", GOOD % ("1", ""), 1, 0),
    ("nor with a header",
     'put("a.h", "#define ONE 1\\n")\n'
     'attempt("good", "#include \\"a.h\\"\\nint f(void) { return ONE; }\\n")\n',
     1, 0),
    ("nor what is made after another", GOOD % ("1", "") +
     'attempt("more", "int g(void) { return 2; }\\n")\n', 2, 0),
    ("nor beside what does not compile", GOOD % ("1", "") + ONCE, 2, 0),
    ("where nothing can be noted", 'put(".kb-notes", "")\n' + GOOD % ("1", ""),
     1, 1),
    ("nor read", GOOD % ("1", "") +
     'if os.path.isdir(ROOT + "/.kb-notes"): put(".kb-notes/sources", "[]")\n',
     1, 1),
    ("other source", 'attempt("good", "int f(void) { return %d; }" % ahead)\n',
     1, 1),
    ("another header",
     'put("a.h", "#define ONE %d\\n" % ahead)\n'
     'attempt("good", "#include \\"a.h\\"\\nint f(void) { return ONE; }\\n")\n',
     1, 1),
    ("other flags", GOOD % ("1", ', extra_cflags=["-DA=%d" % ahead]'), 1, 1),
]

COMPILER = """#!/bin/sh
case "$*" in *.cpp*) ;; *) exec /usr/bin/c++ "$@" ;; esac
echo >>"$COUNT"
test -e "$TORCH_EXTENSIONS_DIR/kill" && kill -9 $$
exec /usr/bin/c++ "$@"
"""

count = 0
good = True


def result(ok, name):
    global count, good
    count += 1
    good = good and ok
    print("%sok %d - %s" % ("" if ok else "not ", count, name), flush=True)


def imported(folder, begin, ahead):
    """What the candidate printed, in a process of its own, and how often the
    compiler was started."""
    log = os.path.join(folder, "log")
    child = os.fork()
    if not child:
        fd = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(fd, 1)
        os.dup2(os.open(os.path.join(folder, "said"),
                        os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        os.environ.update({
            "TORCH_EXTENSIONS_DIR": os.path.join(folder, "root"),
            "CXX": os.path.join(folder, "c++"),
            "COUNT": os.path.join(folder, "count"),
            "AHEAD": folder if ahead else os.path.join(folder, "no")})
        status = 1
        try:
            begin()
            import_file("kb_candidate", os.path.join(folder, "candidate.py"), 0)
            status = 0
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    _, status = os.waitpid(child, 0)
    with open(log, encoding="utf-8") as file:
        said = file.read()
    counter = os.path.join(folder, "count")
    started = os.path.getsize(counter) if os.path.exists(counter) else 0
    if started:
        os.unlink(counter)
    return status, said, started


def begin_build():
    kb_torch_failures.note_failures()
    kb_torch_sources.note_sources()


def begin_worker():
    kb_torch_sources.keep_sources()
    kb_torch_failures.repeat_failures()


def tell(name, candidate, want_built, want_measured):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "root"))
        for file, text in ("candidate.py", CANDIDATE + candidate), \
                          ("c++", COMPILER):
            with open(os.path.join(folder, file), "w",
                      encoding="utf-8") as out:
                out.write(text)
        os.chmod(os.path.join(folder, "c++"), 0o755)
        plain = imported(folder, lambda: None, True)
        shutil.rmtree(os.path.join(folder, "root"))
        os.mkdir(os.path.join(folder, "root"))
        built = imported(folder, begin_build, True)
        measured = imported(folder, begin_worker, False)
        with open(os.path.join(folder, "said"), encoding="utf-8") as file:
            is_told = "is not compiled again" in file.read()
    got = (plain[0], built[0], measured[0], built[2], measured[2], is_told)
    ok = got == (0, 0, 0, want_built, want_measured,
                  want_measured == 0 and "bad" in candidate)
    if "bad" not in candidate:  # attempt() says what it catches
        ok = ok and plain[1] == built[1] == measured[1] == ""
    if want_measured == 0:
        ok = ok and plain == built and plain[:2] == measured[:2]
    if not ok:
        print("# got %s\n# %r\n# %r\n# %r" % (got, plain, built, measured))
    result(ok, name)


def words_of_reason():
    with open(os.path.join(SOURCE, "src/run/worker/reason.c"),
              encoding="utf-8") as file:
        table = file.read().split("machine_words[] = {")[1].split("};")[0]
    return set(re.findall(r'"([^"]*)"', table))


def main():
    print("1..%d" % (len(WORDS) + len(STORIES + SOURCES) + 2), flush=True)
    result(words_of_reason() == set(kb_torch_failures.MACHINE_WORDS),
           "worker/reason.c knows the same words of the machine")
    for words, want in WORDS:
        result(kb_torch_failures.is_found(words) == want,
               repr(words[len(FAILED):]))
    for story in STORIES + SOURCES:
        tell(*story)
    # A torch that calls it in another way is left alone.
    cpp_extension._run_ninja_build = other = lambda directory: None
    kb_torch_written.intercept(lambda run: None)
    result(cpp_extension._run_ninja_build is other, "another torch")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
