"""torch_nursery.py: a process that has imported torch, forked for each worker of a
test, to which importing it would be nearly all that there is to do.

Each message on the socket that is standard input has a number of words, these, which
are a script and its arguments, and the environment, with NULs between, and two
descriptors: a worker's channel and its log. The answer is the worker's process id;
the worker is an orphan, whom the test adopts."""

import os
import socket
import sys

import torch  # noqa: F401

CHANNEL_FD = 3


def become(words, variables, channel, log):
    """As if started with these; does not return."""
    for of, to in ((log, 1), (log, 2), (channel, CHANNEL_FD)):
        os.dup2(of, to)
    os.closerange(CHANNEL_FD + 1, 256)
    os.environ.clear()
    os.environ.update(v.split("=", 1) for v in variables)
    sys.argv = words
    sys.path[0] = os.path.dirname(words[0])
    with open(words[0], encoding="utf-8") as script:
        code = compile(script.read(), words[0], "exec")
    main = type(sys)("__main__")
    main.__file__ = words[0]
    sys.modules["__main__"] = main
    exec(code, main.__dict__)
    sys.exit(0)


def orphan():
    """Returns in a child of nobody alone."""
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        return False
    if os.fork():
        os._exit(0)
    return True


def serve(asked):
    while True:
        message, fds, _, _ = socket.recv_fds(asked, 1 << 17, 2)
        if not message:
            return
        if orphan():
            asked.send(b"%d" % os.getpid())
            # Far from where they are to be.
            channel, log = (os.dup2(fd, 200 + i) for i, fd in enumerate(fds))
            asked.detach()
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            count, *texts = os.fsdecode(message).split("\0")
            become(texts[:int(count)], texts[int(count):], channel, log)
        for fd in fds:
            os.close(fd)


if __name__ == "__main__":
    serve(socket.socket(fileno=0))
