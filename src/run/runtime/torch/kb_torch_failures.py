"""Compilations of extensions that failed, so that none has to fail twice.

Many candidates catch that an extension does not compile, and go on without it.
What a build made ahead is kept, but such a compilation makes nothing. So a
build notes what the compilers said, in a folder of the directory that is kept of
it; and where the candidate is measured torch raises the same error with the same
words, if the compilation would be the same: its directory, all files that it
could read and the candidate can write, and what the candidate has changed in the
environment. Everything else is in the key under which a build is kept.

Only what compilers found in the code is noted: not what ended for want of memory
or room, or was killed.
"""

import hashlib
import json
import os
import re
import subprocess
import sys

from kb_torch_errors import FOUND, causes, say
from kb_torch_written import NOTES, Written, intercept, writable

# Where a text speaks of the machine. The words are also in worker/reason.c.
MACHINE_WORDS = (
    "killed", "signal", "out of memory", "memory exhausted", "bad_alloc",
    "not enough memory", "cannot allocate", "can not allocate", "can't allocate",
    "could not allocate", "couldn't allocate", "internal error",
    "internal compiler error", "no space left", "quota exceeded",
    "temporarily unavailable", "too many open files", "input/output error",
    "timed out", "core dumped", "interrupted", "error code -")


def is_of_machine(text):
    text = text.lower()
    return any(word in text for word in MACHINE_WORDS)


def is_found(text):
    """Do these words of ninja and compilers say that it is the code?"""
    _, *failed = re.split(r"^FAILED: ", text, flags=re.MULTILINE)
    return (bool(failed) and all(FOUND.search(part) for part in failed)
            and not is_of_machine(text))


def words_of(error):
    """Of the compilers whose failure it is, as torch tells them; or None."""
    for e in causes(error):
        if isinstance(e, subprocess.CalledProcessError):
            try:
                return e.output.decode()
            except (AttributeError, UnicodeDecodeError):
                return None
    return None


def is_final(error):
    """Would the compilers that failed do so again?"""
    words = words_of(error)
    return words is not None and is_found(words)


def print_words(words):
    """As ninja does if it is to be seen at work."""
    sys.stdout.flush()
    with open(1, "wb", closefd=False) as out:
        out.write(words.encode())


class Failures(Written):
    """Those noted in a directory, which is all that the code can write to. To be
    made before the code is imported."""

    def __init__(self, root):
        super().__init__(root)
        self.folder = os.path.join(self.notes, "failures")
        self.environment = dict(os.environ)
        self.at_first = self.files()

    def changes(self):
        """Of the environment since then; None where a variable is gone."""
        return {name: os.environ.get(name)
                for name in {*self.environment, *os.environ}
                if os.environ.get(name) != self.environment.get(name)}

    def note(self, directory, files, changes, words):
        text = json.dumps({"directory": directory, "files": files,
                           "changes": changes, "words": words})
        name = hashlib.sha256(text.encode()).hexdigest()
        os.makedirs(self.folder, exist_ok=True)
        with open(os.path.join(self.folder, name), "w",
                  encoding="utf-8") as file:
            file.write(text)

    def noted(self):
        for name in sorted(os.listdir(self.folder)):
            with open(os.path.join(self.folder, name),
                      encoding="utf-8") as file:
                yield json.load(file)

    def is_same(self, then, now):
        """Every file of then is there, and no other has come or changed since
        this was made."""
        return (all(now.get(path) == digest for path, digest in then.items())
                and all(path in then or self.at_first.get(path) == digest
                        for path, digest in now.items()))

    def find(self, directory):
        """What compilers said there before, of what is there now; or None."""
        files = self.files()
        if files is None or self.at_first is None:
            return None
        for noted in self.noted():
            if (noted["directory"] == directory
                    and noted["changes"] == self.changes()
                    and self.is_same(noted["files"], files)):
                return noted["words"]
        return None


def note_failures():
    """From now on, in a build."""
    failures = Failures(writable())

    def make(run):
        def noting(build_directory, verbose, error_prefix):
            files = failures.files()
            changes = failures.changes()
            try:
                run(build_directory, False, error_prefix)
            except RuntimeError as error:
                words = words_of(error)
                if words and files is not None and is_found(words):
                    failures.note(build_directory, files, changes, words)
                if not words or not verbose:
                    raise
                print_words(words)
                raise RuntimeError(error_prefix) from error.__cause__
        return noting

    intercept(make)


def repeat_failures():
    """From now on, where the code is measured, if a build noted any."""
    root = writable()
    if not root or not os.path.isdir(os.path.join(root, NOTES, "failures")):
        return
    failures = Failures(root)

    def make(run):
        def repeating(build_directory, verbose, error_prefix):
            words = failures.find(build_directory)
            if words is None:
                return run(build_directory, verbose, error_prefix)
            say("kb_torch: '%s' did not compile when it was built ahead, and is "
                "not compiled again\n" % build_directory)
            cause = subprocess.CalledProcessError(1, ["ninja", "-v"],
                                                  words.encode())
            if verbose:
                print_words(words)
                raise RuntimeError(error_prefix) from cause
            raise RuntimeError("%s: %s" % (error_prefix, words)) from cause
        return repeating

    intercept(make)
