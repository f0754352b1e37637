"""Sources that are written again as they were, for which nothing is compiled twice.

Much code writes the sources of its extension each time that it is imported. ninja
goes by when a file was changed last, and would compile again what a build made
ahead. So a build notes, when an extension has been compiled, what is in each file
that the compilation could read, and when that was changed; and where the
candidate is measured, a file with the same in it is given that time again before
ninja looks. ninja itself tells whether commands, or other files, are others.
"""

import json
import os

from kb_torch_written import Written, intercept, writable


class Sources(Written):
    """Those noted in a directory, which is all that the code can write to."""

    def __init__(self, root):
        super().__init__(root)
        self.path = os.path.join(self.notes, "sources")

    def note(self):
        """All that there are: what they are found with last counts. What cannot
        be noted is compiled again, no more."""
        try:
            self.write_note()
        except OSError:
            pass

    def write_note(self):
        noted = {path: [digest, os.stat(path).st_mtime_ns]
                 for path, digest in (self.files() or {}).items()}
        os.makedirs(self.notes, exist_ok=True)
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(noted, file)

    def restore_times(self):
        """What is noted may have been changed since by the code."""
        try:
            self.set_times()
        except (OSError, ValueError, TypeError, AttributeError):
            pass

    def set_times(self):
        with open(self.path, encoding="utf-8") as file:
            noted = json.load(file)
        for path, digest in (self.files() or {}).items():
            was, changed_ns = noted.get(path, (None, None))
            if was == digest and os.stat(path).st_mtime_ns != changed_ns:
                os.utime(path, ns=(changed_ns, changed_ns))


def note_sources():
    """From now on, in a build."""
    sources = Sources(writable())

    def make(run):
        def noting(build_directory, verbose, error_prefix):
            run(build_directory, verbose, error_prefix)
            sources.note()
        return noting

    intercept(make)


def keep_sources():
    """From now on, where the code is measured, if a build noted any."""
    root = writable()
    if not root or not os.path.isfile(Sources(root).path):
        return
    sources = Sources(root)

    def make(run):
        def keeping(build_directory, verbose, error_prefix):
            sources.restore_times()
            run(build_directory, verbose, error_prefix)
        return keeping

    intercept(make)
