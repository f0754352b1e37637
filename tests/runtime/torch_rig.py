"""What tests of kb's modules for torch begin with: after the import of this one, those
modules can be imported from LIBEXEC."""

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
