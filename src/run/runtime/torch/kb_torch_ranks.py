"""A group of ranks: processes that call each other by torch.distributed, each of
them a worker, and the process that leads them.
"""

import inspect
import os
import signal
import socket

import torch

from kb_torch_errors import say


def fork_ranks(library, count):
    """In each rank, its number; its channel is where a worker's is. Who leads
    never returns."""
    ours, theirs, pids = [], [], []
    for rank in range(count):
        pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.append(pair[0])
        theirs.append(pair[1])
        pid = os.fork()
        if not pid:
            os.dup2(pair[1].fileno(), library.number("KB_CHANNEL_FD"),
                    inheritable=False)
            for end in ours + theirs:
                end.close()
            return rank
        pids.append(pid)
    for end in theirs:
        end.close()
    lead(library, [end.fileno() for end in ours], pids)


def lead(library, fds, pids):
    result = library.lead(fds, pids)
    number, wait_status = divmod(result, library.number("KBRT_RANK_ENDED"))
    if number:  # see kb_reason_ended_rank()
        say("kb_torch_ranks: rank %d ended\n" % (number - 1))
    end_like(wait_status)


def end_like(wait_status):
    """What the supervisor is told of a rank's end is this process's own."""
    if os.WIFSIGNALED(wait_status):
        number = os.WTERMSIG(wait_status)
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(wait_status))


class Ranks:
    """What a worker knows of its group, which has one rank if it is none."""

    def __init__(self, options):
        self.rank = options.rank
        self.count = options.ranks
        self.on_device = options.cuda

    def join(self):
        """Before any code of the problem or the candidate is loaded."""
        if self.count == 1:
            return
        os.environ.update(
            RANK=str(self.rank), LOCAL_RANK=str(self.rank),
            WORLD_SIZE=str(self.count), LOCAL_WORLD_SIZE=str(self.count),
            MASTER_ADDR="127.0.0.1", MASTER_PORT="29500",
            GLOO_SOCKET_IFNAME="lo", NCCL_SOCKET_IFNAME="lo",
            NCCL_NVLS_ENABLE="0", TORCH_SYMM_MEM_DISABLE_MULTICAST="1")
        path = os.path.join(os.environ["TMPDIR"], "kb_ranks")
        torch.distributed.init_process_group(
            "nccl" if self.on_device else "gloo", rank=self.rank,
            world_size=self.count,
            store=torch.distributed.FileStore(path, self.count))

    def share_groups(self):
        """Copies of a module call the same processes."""
        if self.count > 1:
            torch.distributed.ProcessGroup.__deepcopy__ = (
                lambda group, _: group)

    def named(self, function):
        """Of `rank` and `world_size`, what a function has parameters for."""
        if self.count == 1:
            return {}
        values = {"rank": self.rank, "world_size": self.count}
        try:
            parameters = inspect.signature(function).parameters
        except (TypeError, ValueError):  # some of C have none that is known
            return {}
        return {name: value for name, value in values.items()
                if name in parameters}

    def gathered(self, value):
        """Every rank's. All have to ask."""
        if self.count == 1:
            return [value]
        values = [None] * self.count
        torch.distributed.all_gather_object(values, value)
        return values

    def any(self, flag):
        """Does any rank say so? All have to ask."""
        if self.count == 1:
            return bool(flag)
        device = "cuda" if self.on_device else "cpu"
        said = torch.tensor(int(bool(flag)), device=device)
        torch.distributed.all_reduce(said)
        return bool(said.item())
