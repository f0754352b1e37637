"""Programs of which a process stays, to be copied for each run: see again.c."""

import os
import pathlib
import subprocess
import tempfile


class Again:
    """Runs of one program, in the directory in which this was made. A process
    that is forked has to make its own."""

    def __init__(self, build, name):
        talk = tempfile.NamedTemporaryFile()
        self.talk = open(talk.name, "rb")
        self.process = subprocess.Popen(
            [pathlib.Path(build, "tests/again", name)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=talk)

    def run(self, *arguments):
        """The status, and what was written to standard output and error."""
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
        raise EOFError("%s ended" % self.process.args[0])

    def end(self):
        self.process.stdin.close()
        if self.process.wait():
            raise EOFError("%s: status %d" % (self.process.args[0],
                                              self.process.returncode))
