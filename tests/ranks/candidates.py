"""Candidates for the suite beside this: `candidates.py FOLDER` writes a file for
each row of TABLE there, and the rows' statuses to standard output."""

import sys

HEAD = """import os
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

# No rank communicates, though all seem to.
PATCHED = """    def forward(self, x):
        total = x.clone()
        dist.all_reduce(total)
        return total


dist.all_reduce = lambda *args, **kwargs: None
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

# Who waits for rank 1 spins: NCCL does on a GPU, the rank itself on the CPU.
HANG = """while RANK or not x.is_cuda:
            RANK and time.sleep(1)"""

SPIN = """if not os.path.exists("/tmp/left"):
            open("/tmp/left", "w").close()
            if not os.fork():
                while True:
                    pass"""

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
    ("1/1", "mismatch", PATCHED),
    ("1/1", "mismatch", EARLY),
    ("1/2", "correct", MLP % "dist.all_reduce(partial)"),
    ("1/2", "mismatch", MLP % "partial *= dist.get_world_size()"),
    ("1/3", "correct", EXCHANGE % "self.size"),
    ("1/3", "mismatch", EXCHANGE % "self.size - RANK"),
    ("1/4", "correct", DROPOUT % "dist.broadcast(mask, 0)"),
    ("1/4", "mismatch", DROPOUT % "mask = mask.roll(RANK)"),
]


def main(folder):
    samples = {}
    for key, status, code in TABLE:
        sample = samples.setdefault(key, 0)
        samples[key] += 1
        name = "level_%s_problem_%s_sample_%d_kernel.py" % (*key.split("/"),
                                                            sample)
        with open(folder + "/" + name, "w") as file:
            file.write(HEAD + code)
        print(key, sample, status)


if __name__ == "__main__":
    main(*sys.argv[1:])
