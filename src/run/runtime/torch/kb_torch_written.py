"""What a candidate's code has written where it can write, and where torch starts
the compilers of extensions.
"""

import hashlib
import inspect
import os
import re

# Of what builds note, in the directory that is kept of one.
NOTES = ".kb-notes"

# Of files that a compilation might read; with more nothing is noted.
FILES_MAX = 1000
BYTES_MAX = 64 << 20


def writable():
    """The directory that is the code's own, under one name in all workers; or
    None, where nothing is built ahead."""
    return os.environ.get("TORCH_EXTENSIONS_DIR")


def may_have_extensions(path):
    with open(path, "rb") as file:
        return b"cpp_extension" in file.read()


def products(folder, names):
    """What ninja makes in a folder; it tells itself whether it is up to date."""
    made = {name for name in names if name.startswith(".ninja_")}
    if "build.ninja" in names:
        with open(os.path.join(folder, "build.ninja"), encoding="utf-8") as file:
            made.update(re.findall(r"^build (\S+):", file.read(), re.MULTILINE))
    return made


class Written:
    """The files in a directory, which is all that the code can write to."""

    def __init__(self, root):
        self.root = root
        self.notes = os.path.join(root, NOTES)

    def is_part(self, folder):
        """What is mounted there is nobody's to write, or the root again, under
        its own name."""
        return (folder != self.notes and not os.path.ismount(folder)
                and not os.path.samefile(folder, self.root))

    def files(self):
        """A digest for each that a compilation could read; None if they are too
        many, or not all are files."""
        found = {}
        left = BYTES_MAX
        try:
            for folder, folders, names in os.walk(self.root):
                folders[:] = [f for f in folders
                              if self.is_part(os.path.join(folder, f))]
                for name in {*names} - products(folder, names):
                    path = os.path.join(folder, name)
                    left -= os.path.getsize(path)
                    if (left < 0 or len(found) == FILES_MAX
                            or not os.path.isfile(path)):
                        return None
                    with open(path, "rb") as file:
                        found[path] = hashlib.sha256(file.read()).hexdigest()
        except (OSError, ValueError):  # it changes, or cannot be read
            return None
        return found


def intercept(make):
    """Put make(the function by which torch runs compilers) in its place, if it
    is called as we know it."""
    from torch.utils import cpp_extension

    run = getattr(cpp_extension, "_run_ninja_build", None)
    if run and list(inspect.signature(run).parameters) == [
            "build_directory", "verbose", "error_prefix"]:
        cpp_extension._run_ninja_build = make(run)
