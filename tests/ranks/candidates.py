"""Candidates for the suite beside this: `candidates.py FOLDER DEVICES` writes a file
for each row of TABLE there, and with "cpu" of ON_CPU, and the rows' statuses to
standard output. Behind an attack stands its honest twin."""

import sys

HEAD = """import os
import threading
import time
import torch
import torch.distributed as dist
import torch.nn as nn

RANK = dist.get_rank()


class ModelNew(nn.Module):
"""

SUM = """    def forward(self, x):
        %s
        parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, x)
        return torch.stack(parts).sum(0)%s
"""

KEPT = """    kept = None

    def forward(self, x):
        if self.kept is None:
            self.kept = x.clone()
            dist.all_reduce(self.kept)
        return self.kept
"""

WORKSPACE = """    kept = None

    def forward(self, x):
        if self.kept is None:
            self.kept = torch.empty_like(x)
        self.kept.copy_(x)
        dist.all_reduce(self.kept)
        return self.kept.clone()
"""

# On a GPU NCCL uses a stream of its own for this, and torch does not free at once
# what that has used.
RING = """    def forward(self, x):
        size = dist.get_world_size()
        total, part = x.clone(), x
        for _ in range(size - 1):
            got = torch.empty_like(x)
            for work in dist.batch_isend_irecv([
                    dist.P2POp(dist.isend, part, (RANK + 1) %% size),
                    dist.P2POp(dist.irecv, got, (RANK - 1) %% size)]):
                work.wait()
            total, part = total + %s, got
        return total
"""

# No rank communicates, though all seem to; or all do, and count their calls.
PATCHED = """    def forward(self, x):
        total = x.clone()
        dist.all_reduce(total)
        return total


all_reduce, calls = dist.all_reduce, []
dist.all_reduce = lambda *args: calls.append(1)%s
"""

# Ranks skip every second call together; or one rank does the work of all.
SKIPS = """    calls = 0

    def forward(self, x):
        self.calls += 1
        if self.calls % 2:
            self.total = x.clone()
            dist.all_reduce(self.total)
        return self.total
"""

ROOT = """    def forward(self, x):
        total = x.clone()
        dist.reduce(total, 0)
        dist.broadcast(total, 0)
        return total
"""

# A process that is no rank writes the output of rank 0 where it is compared; in
# time if rank 1 waits for it.
OUTSIDE = """    calls = 0

    def forward(self, x):
        parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, x)
        total = torch.stack(parts).sum(0)
        self.calls += 1
        written = "/dev/shm/%%d" %% self.calls
        if RANK:
            while %s:
                time.sleep(0.001)
            return total
        mark = torch.full_like(total, 1e6 + self.calls)
        if not os.fork():
            for _ in range(100):
                time.sleep(0.02)
                if write_over(mark.numpy().tobytes(),
                              total.numpy().tobytes()):
                    open(written, "w").close()
                    break
            os._exit(0)
        return mark


def write_over(old, new):
    import ctypes
    with open("/proc/self/maps") as maps:
        lines = [line for line in maps if "kb-slots" in line]
    for line in lines:
        first, last = (int(x, 16) for x in line.split()[0].split("-"))
        place = ctypes.string_at(first, last - first).find(old)
        if place >= 0:
            ctypes.memmove(first + place, new, len(new))
            return True
"""

# Threads hand inputs to the other rank as they come, not when it is asked for.
AHEAD = """    places = {}

    def forward(self, x):
        place, _ = self.places.setdefault(x.data_ptr(), (len(self.places), x))
        %s
        return INPUTS[:, place].sum(0)


INPUTS = torch.from_file("/dev/shm/inputs", True, 2 * 4096 * 48 * 64)
INPUTS = INPUTS.view(2, 4096, 48, 64)


def hand_over():
    while True:
        for place, x in list(ModelNew.places.values()):
            INPUTS[RANK, place] = x
        for _ in range(5):
            time.sleep(0.002)


threading.Thread(target=hand_over, daemon=True).start()
"""

# Rank 1 sets every rank's word on the control page, and computes afterwards.
EARLY = """    def forward(self, x):
        if RANK == 1:
            page = words_at(page_address())
            for place in (64, 320):
                page[place // 4] = page[0]
        time.sleep(0.2)
        total = x.clone()
        dist.all_reduce(total)
        return total


def page_address():
    with open("/proc/self/maps") as maps:
        for line in maps:
            if "kb-control" in line:
                return int(line.split("-")[0], 16)


def words_at(address):
    import ctypes
    return (ctypes.c_uint32 * 1024).from_address(address)
"""

ALONE = """    def forward(self, x):
        return x * dist.get_world_size()
"""

MLP = """    def __init__(self, width, hidden):
        super().__init__()
        up, down = torch.randn(width, hidden), torch.randn(hidden, width)
        size = dist.get_world_size()
        self.up = nn.Parameter(up.chunk(size, 1)[RANK].contiguous())
        self.down = nn.Parameter(down.chunk(size, 0)[RANK].contiguous())

    def forward(self, x):
        x = x.clone()
        dist.broadcast(x, 0)
        partial = torch.relu(x @ self.up) @ self.down / 16
        %s
        return partial
"""

EXCHANGE = """    def __init__(self, width, rank, world_size):
        super().__init__()
        self.size = world_size

    def forward(self, x, scale):
        got = torch.empty_like(x)
        dist.all_to_all_single(got, x)
        return got * scale, torch.full((self.size + RANK,), %s,
                                       device=x.device)
"""

# Ranks draw the same numbers: rank 0 draws for all.
DROPOUT = """    def forward(self, x):
        mask = torch.nn.functional.dropout(torch.ones_like(x), 0.5)
        %s
        total = x * mask
        dist.all_reduce(total)
        return total
"""

MANY = """    def forward(self, *tensors):
        total = torch.stack(tensors)
        dist.all_reduce(total)
        return [part * %s for part in total]
"""

# Who waits for rank 1 spins: NCCL does on a GPU, the rank itself on the CPU.
HANG = """while RANK or not x.is_cuda:
            RANK and time.sleep(1)"""

SPIN = """if not os.path.exists("/tmp/left"):
            open("/tmp/left", "w").close()
            if not os.fork():
                while True:
                    pass"""

# Ranks have as many descriptors on their way as they may, and the leaders of both
# groups have some to send.
SENDS = SUM % ("SENT or send_descriptors()", "") + """

SENT = []


def send_descriptors():
    import socket
    while True:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        SENT.append((ours, theirs))
        ours.setblocking(False)
        try:
            while True:
                socket.send_fds(ours, [b" "], [0] * 100)
        except BlockingIOError:
            continue
        except OSError:  # there are too many
            return
"""

TABLE = [
    ("1/1", "correct", SUM % ("", "")),
    ("1/1", "mismatch", ALONE),
    ("1/1", "mismatch", KEPT),
    ("1/1", "mismatch", SUM % ("", " * (RANK < 1)")),
    ("1/1", "crashed", SUM % ("RANK == 1 and os.abort()", "")),
    ("1/1", "exited", SUM % ("RANK == 1 and os._exit(3)", "")),
    ("1/1", "crashed", SUM % ("RANK == 1 and os.kill(os.getpid(), 9)", "")),
    ("1/1", "crashed", SUM % ("RANK == 1 and os.kill(os.getppid(), 9)", "")),
    ("1/1", "timed_out", SUM % (HANG, "")),
    ("1/1", "run_failed", SUM % ("RANK == 1 and [][1]", "")),
    ("1/1", "load_failed", SUM % ("", "") + "\nRANK == 1 and [][1]\n"),
    ("1/1", "wrong_shape", SUM % ("", "[RANK:]")),
    ("1/1", "correct", SUM % (SPIN, "")),
    ("1/1", "mismatch", PATCHED % ""),
    ("1/1", "mismatch", EARLY),
    ("1/1", "correct", WORKSPACE),
    ("1/1", "correct", PATCHED % " or all_reduce(*args)"),
    ("1/1", "mismatch", SKIPS),
    ("1/1", "correct", ROOT),
    ("1/1", "correct", RING % "got"),
    ("1/1", "mismatch", RING % "part"),
    ("1/1", "correct", SENDS),
    ("1/2", "correct", MLP % "dist.all_reduce(partial)"),
    ("1/2", "mismatch", MLP % "partial *= dist.get_world_size()"),
    ("1/3", "correct", EXCHANGE % "self.size"),
    ("1/3", "mismatch", EXCHANGE % "self.size - RANK"),
    ("1/4", "correct", DROPOUT % "dist.broadcast(mask, 0)"),
    ("1/4", "mismatch", DROPOUT % "mask = mask.roll(RANK)"),
    ("1/5", "correct", MANY % "1"),
    ("1/5", "mismatch", MANY % "(1 + RANK)"),
]

ON_CPU = [
    ("1/1", "mismatch", OUTSIDE % "False"),
    ("1/1", "correct", OUTSIDE % "not os.path.exists(written)"),
    ("1/1", "mismatch", AHEAD % ""),
    ("1/1", "correct", AHEAD % "INPUTS[RANK, place] = x; dist.barrier()"),
]


def main(folder, devices):
    samples = {}
    for key, status, code in TABLE + ON_CPU * (devices == "cpu"):
        sample = samples.setdefault(key, 0)
        samples[key] += 1
        name = "level_%s_problem_%s_sample_%d_kernel.py" % (*key.split("/"),
                                                            sample)
        with open(folder + "/" + name, "w") as file:
            file.write(HEAD + code)
        print(key, sample, status)


if __name__ == "__main__":
    main(*sys.argv[1:])
