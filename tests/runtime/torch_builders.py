"""torch_builders.py LIBEXEC: the table of compilers in kb_torch_errors.py. What is
raised in a file of each, or below one, is a failed build; what is raised where
that runs is not. The packages are stand-ins that have the files, so that none of
them needs to be installed. TAP on stdout."""

import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

from kb_torch_errors import BUILDERS, builder_of, is_build_error

SITE = "/usr/lib/python3/site-packages"
tests = []


def check(name, got, want):
    tests.append(got == want)
    if got != want:
        print("# got %r, want %r" % (got, want))
    print("%sok %d - %s" % ("" if got == want else "not ", len(tests), name))


def calls(path):
    """A function of that file that calls what it is given."""
    space = {}
    exec(compile("def work(f):\n    return f()\n", path, "exec"), space)
    return space["work"]


def no_such_name():
    return kb_no_such_name  # noqa: F821


def raised(function):
    try:
        function()
    except Exception as error:
        return error
    return None


def file_of(part):
    return SITE + part + ("x.py" if part.endswith("/") else "")


def below(*paths):
    """What a candidate raises that is called by these, the last one's first."""
    function = no_such_name
    for path in paths:
        function = (lambda f, g: lambda: f(g))(calls(path), function)
    return raised(function)


for name, of in BUILDERS.items():
    for part in of["files"]:
        check("%s: below %s" % (name, part), builder_of(below(file_of(part))),
              name)
    for part in of.get("runs", ()):
        inside = file_of(of["files"][0])
        check("%s: run by %s" % (name, part),
              builder_of(below(file_of(part), inside)), None)
    for module in of.get("types", ()):
        error = type("Failed", (Exception,), {"__module__": module})()
        check("%s: a type of %s" % (name, module), builder_of(error), name)

# A compiler behind another: the first that is known says it.
other = raised(no_such_name)
other.__cause__ = below(SITE + "/triton/compiler/compiler.py")
check("what it came of counts", builder_of(other), "triton")

for path in ("/here/candidate.py", "/here/triton/compiler.py",
             "/here/compiler/triton/x.py", SITE + "/mytriton/compilers/x.py",
             SITE + "/triton/runtime/jit.py",
             SITE + "/triton/backends/nvidia/driver.py",
             SITE + "/torch/_inductor/runtime/triton_heuristics.py",
             SITE + "/torch/_inductor/output_code.py",
             SITE + "/tilelang/jit/kernel.py",
             SITE + "/tilelang/jit/adapter/tvm_ffi.py",
             SITE + "/cutlass/torch.py", SITE + "/cupy/_core/core.py",
             SITE + "/helion/runtime/kernel.py",
             SITE + "/torch/nn/modules/module.py"):
    check("not below %s" % path, is_build_error(below(path)), False)
print("1..%d" % len(tests))
sys.exit(not all(tests))
