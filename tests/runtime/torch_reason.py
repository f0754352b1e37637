"""torch_reason.py LIBEXEC: the line in which a worker says why code failed, of
kb_torch_errors.py. Compilers are stand-ins by the names of their files. TAP on
stdout."""

import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

from kb_torch_errors import REASON_BYTES, reason

CANDIDATE = "/x/4-code/candidate.py"
EXTENSION = "/site/torch/utils/cpp_extension.py"
TRITON = "/site/triton/compiler/code_generator.py"

# As torch raises it when ninja has failed.
NINJA = """
def _run_ninja_build():
    from subprocess import CalledProcessError
    try:
        raise CalledProcessError(1, ["ninja", "-v"], %r)
    except CalledProcessError as e:
        raise RuntimeError("Error building extension 'x'" + %r) from e
_run_ninja_build()
"""
GCC = """[1/2] c++ -c main.cpp
FAILED: main.o
/tmp/torch extensions/x/main.cpp:1:1: warning: unused
/tmp/x/main.cpp: In function 'f':
/tmp/x/main.cpp:3:5: error: 'y' was not declared
/tmp/x/main.cpp:4:5: error: further
"""
NVCC = "FAILED: cuda.o\n/tmp/x/cuda.cu(7): error: identifier \"y\" is undefined\n"
LD = """FAILED: x.so
/usr/bin/ld: main.o: in function `f':
main.cpp:(.text+0x5): undefined reference to `g'
collect2: error: ld returned 1 exit status
"""
# As Triton raises it; %s: what from.
KERNEL = """
class CompilationError(Exception):
    pass
try:
    raise ValueError("program_id axis must be 0, 1, or 2 but got 3")
except ValueError as e:
    raise CompilationError("at 3:4:\\ndef k(x):\\n    ^\\nit says so") from %s
"""

# What it is, the code's path, the code, the reason.
CASES = [
    ("a syntax error", CANDIDATE, "x = 1\ndef f(:\n    pass\n",
     "SyntaxError: invalid syntax (line 2)"),
    ("a name", CANDIDATE, "\ny\n", "NameError: name 'y' is not defined (line 2)"),
    ("the innermost line of the code counts", CANDIDATE,
     "def f():\n    import json\n    json.loads('')\n\nf()\n",
     "JSONDecodeError: Expecting value: line 1 column 1 (char 0) (line 3)"),
    ("a problem's file is named", "/x/4-code/problem.py", "1 / 0",
     "ZeroDivisionError: division by zero (problem.py, line 1)"),
    ("nothing of the code is in it", "/x/other.py", "1 / 0",
     "ZeroDivisionError: division by zero"),
    ("code in a string", CANDIDATE, "exec('def (')",
     "SyntaxError: invalid syntax (<string>, line 1)"),
    ("an encoding that there is not", CANDIDATE,
     b"# -*- coding: nope -*-\n", "SyntaxError: unknown encoding: nope"),
    ("no message", CANDIDATE, "raise KeyError", "KeyError (line 1)"),
    ("an exit", CANDIDATE, "raise SystemExit(3)", "SystemExit: 3 (line 1)"),
    ("the first line of several", CANDIDATE, "raise ValueError('\\n a\\n\\nb')",
     "ValueError: a (line 1)"),
    ("a first line that has a second one", CANDIDATE,
     "raise RuntimeError('Error(s) in loading:\\n\\tMissing key')",
     "RuntimeError: Error(s) in loading: Missing key (line 1)"),
    ("the last exception counts, not what it came of", CANDIDATE,
     "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n"
     "    raise ValueError('mine') from e\n", "ValueError: mine (line 4)"),
    ("what cannot be printed", CANDIDATE,
     "raise ValueError('\\x1b[31m\\u202e\\ud800')",
     "ValueError: ?[31m?? (line 1)"),
    ("an exception that exits where it is asked", CANDIDATE,
     "class E(Exception):\n    def __str__(self):\n        raise SystemExit\n"
     "raise E\n", "E (line 4)"),
    ("an exception whose message is none", CANDIDATE,
     "class E(SyntaxError):\n    @property\n    def msg(self): raise SystemExit\n"
     "raise E\n", "an exception that cannot be told"),
    ("gcc", EXTENSION, NINJA % (GCC.encode(), ": " + GCC),
     "main.cpp:3:5: error: 'y' was not declared"),
    ("nvcc, which only the cause has", EXTENSION, NINJA % (NVCC.encode(), ""),
     "cuda.cu(7): error: identifier \"y\" is undefined"),
    ("ld", EXTENSION, NINJA % (LD.encode(), ""),
     "main.cpp:(.text+0x5): undefined reference to `g'"),
    ("a compiler that was killed", EXTENSION, NINJA % (b"Killed\n", ": Killed"),
     "RuntimeError: Error building extension 'x': Killed"),
    ("no compiler", EXTENSION, "raise RuntimeError('Ninja is required')",
     "RuntimeError: Ninja is required"),
    ("Triton, of another error", TRITON, KERNEL % "e",
     "ValueError: program_id axis must be 0, 1, or 2 but got 3"),
    ("Triton, by itself", TRITON, KERNEL % "None",
     "CompilationError: it says so"),
]


def run(path, code):
    try:
        exec(compile(code, path, "exec"), {"__name__": "code"})
    except BaseException as error:
        return reason(error)
    return None


def main():
    good = True
    print("1..%d" % (len(CASES) + 1))
    for n, (name, path, code, want) in enumerate(CASES, 1):
        got = run(path, code)
        good = good and got == want
        if got != want:
            print("# got %r, want %r" % (got, want))
        print("%sok %d - %s" % ("" if got == want else "not ", n, name))
    long = run(CANDIDATE, "raise ValueError('\u00e9' * 1000)")
    fits = (len(long.encode()) <= REASON_BYTES + len(" (line 1)")
            and long.endswith("\u00e9... (line 1)"))
    print("%sok %d - a long one keeps its place" % ("" if fits else "not ",
                                                    len(CASES) + 1))
    return 0 if good and fits else 1


if __name__ == "__main__":
    sys.exit(main())
