"""torch_failures.py LIBEXEC: when is it the code that does not compile? TAP on
stdout."""

import sys

try:
    from torch.utils import cpp_extension
except Exception:
    print("1..0 # SKIP there is no torch")
    sys.exit(0)

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

import kb_torch_failures

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

count = 0
good = True


def result(ok, name):
    global count, good
    count += 1
    good = good and ok
    print("%sok %d - %s" % ("" if ok else "not ", count, name), flush=True)


def main():
    print("1..%d" % (len(WORDS) + 1), flush=True)
    for words, want in WORDS:
        result(kb_torch_failures.is_found(words) == want,
               repr(words[len(FAILED):]))
    # A torch that calls it in another way is left alone.
    cpp_extension._run_ninja_build = other = lambda directory: None
    kb_torch_failures.intercept(lambda run: None)
    result(cpp_extension._run_ninja_build is other, "another torch")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
