"""What tests of kb's modules for torch begin with: after the import of this one, those
modules can be imported from LIBEXEC."""

import contextlib
import importlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])


def need(name):
    """Skip all tests where the module `name` cannot be imported."""
    try:
        importlib.import_module(name)
    except Exception:
        print("1..0 # SKIP there is no %s" % name)
        sys.exit(0)


def run_tests(names, around=contextlib.nullcontext):
    """Run the tests of `names`, the globals of a module, each in a context of its
    own. Returns True if one failed."""
    tests = [(name, function) for name, function in names.items()
             if name.startswith("test_")]
    failed = False
    print("1..%d" % len(tests))
    for n, (name, function) in enumerate(tests, 1):
        try:
            with around():
                function()
            print("ok %d - %s" % (n, name))
        except Exception as error:
            failed = True
            line = error.__traceback__.tb_next.tb_lineno
            print("# line %d: %r" % (line, error))
            print("not ok %d - %s" % (n, name))
    return failed
