"""Programs of which a process stays and runs them again: see again.c."""

import os
import pathlib
import subprocess
import tempfile


class Again:
    """Runs of one program, in the directory in which this was made. A process
    that is forked has to make its own."""

    def __init__(self, build, name):
        self.program = pathlib.Path(build, "tests/again", name)
        self.process = self.talk = None

    def start(self):
        talk = tempfile.NamedTemporaryFile()
        self.talk = open(talk.name, "rb")
        self.process = subprocess.Popen(
            [self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=talk)

    def run(self, *arguments):
        """The status, and what was written to standard output and error. The
        status of a run that ends the process is minus its signal, or -1 if it
        exits; the next run is in another one."""
        if not self.process:
            self.start()
        words = b"\t".join(os.fsencode(str(a)) for a in arguments)
        assert b"\n" not in words
        self.process.stdin.write(words + b"\n")
        self.process.stdin.flush()
        said = b""
        for line in self.process.stdout:
            said += line
            words, nul, status = said.partition(b"\0status ")
            if nul:
                return int(status), words, self.talk.read()
        status = self.process.wait()
        self.process = None
        return min(status, -1), said, self.talk.read()

    def end(self):
        """Raises EOFError with a sanitizer's report if any run leaked."""
        if not self.process:
            return
        self.process.stdin.close()
        if self.process.wait():
            raise EOFError("%s: status %d\n%s" % (
                self.program, self.process.returncode,
                self.talk.read().decode("utf-8", "replace")))
