"""attacks.py FOLDER writes attacks on groups of two GPUs for the suite `attacked`
beside this, and their honest twins. attacks.py FOLDER RESULTS judges what kb-eval
says of them: each has the status that it is to have, and the words in its reason. An
attack that is correct is no faster than the first candidate and makes the reference
no slower."""

import json
import sys

HEAD = """import torch
import torch.distributed as dist
import torch.nn as nn

RANK = dist.get_rank()
MINE = torch.cuda.Stream()
OTHER_GPU = (torch.cuda.current_device() + 1) %% torch.cuda.device_count()
FAR = torch.cuda.Stream(OTHER_GPU)


class ModelNew(nn.Module):
    calls = 0

    def __init__(self):
        super().__init__()
        self.kept = torch.empty(4194304, device="cuda")

    def forward(self, x):
        here = torch.cuda.current_stream()
        total = x.clone()
%s


def long_wait():
    torch.cuda._sleep(4000000)
"""

SUM = """
        dist.all_reduce(total)
        return total
"""

PATCHED = SUM + """

all_reduce, calls = dist.all_reduce, []
dist.all_reduce = lambda *args: calls.append(1)%s
"""

SKIPS = """
        self.calls += 1
        if self.calls %% 2%s:
            dist.all_reduce(total)
        return total
"""

# The sum comes later, on another stream of this GPU.
LATE = """
        MINE.wait_stream(here)
        with torch.cuda.stream(MINE):
            long_wait()
            work = dist.all_reduce(total, async_op=True)
        %s
        return total
"""

# The other GPU writes to memory of this one, of which the output is a copy.
OTHER = """
        dist.all_reduce(total)
        out = torch.zeros_like(total)
        MINE.wait_stream(here)
        with torch.cuda.stream(FAR), torch.cuda.stream(MINE):
            far = total.to(OTHER_GPU, non_blocking=True)
            with torch.cuda.device(OTHER_GPU):
                long_wait()
            self.kept.copy_(far, non_blocking=True)
            out.copy_(self.kept)
        %s
        return out
"""

# The other rank writes it.
OUTSIDE = """
        dist.all_reduce(total)
        out = torch.zeros_like(total)
        MINE.wait_stream(here)
        if RANK:
            with torch.cuda.stream(MINE):
                long_wait()
                work = dist.isend(total, 0)
        else:
            work = dist.irecv(out, 1)
        %s
        return total if RANK else out
"""

# A stream that does not wait for the gate.
AHEAD = """
        %s
        with torch.cuda.stream(MINE):
            total = x.clone()
            dist.all_reduce(total, async_op=True).wait()
        here.wait_stream(MINE)
        return total
"""

# The other GPU is at work after the call, when the reference runs next.
DRAG = """
        dist.all_reduce(total)
        with torch.cuda.stream(FAR):
            %s
        return total
"""

# The kind, the status, and words of the reason.
TWIN = "twin", "correct", ""
WRONG = "attack", "mismatch", " % differ"
RANK_0_WRONG = "attack", "mismatch", "rank 0, output 0 "
HARMLESS = "attack", "correct", ""
TABLE = [
    (TWIN, "the sum", SUM),
    (WRONG, "dist is patched: nobody communicates", PATCHED % ""),
    (TWIN, "dist is patched: calls are counted",
     PATCHED % " or all_reduce(*args)"),
    (WRONG, "ranks skip every second sum", SKIPS % ""),
    (TWIN, "ranks count their calls", SKIPS % " < 2"),
    (WRONG, "a stream is left at work", LATE % ""),
    (TWIN, "a stream is waited for", LATE % "work.wait()"),
    (WRONG, "the other GPU is left at work", OTHER % ""),
    (TWIN, "the other GPU is waited for", OTHER % "here.wait_stream(MINE)"),
    (RANK_0_WRONG, "the other rank writes the output later", OUTSIDE % ""),
    (TWIN, "the other rank writes the output", OUTSIDE % "work.wait()"),
    (WRONG, "a stream sums before the gate opens", AHEAD % ""),
    (TWIN, "a stream sums after it", AHEAD % "MINE.wait_stream(here)"),
    (HARMLESS, "the other GPU works on after the call", DRAG % "long_wait()"),
    (TWIN, "the other GPU does nothing", DRAG % "pass"),
]


def write(folder):
    for sample, (_, _, code) in enumerate(TABLE):
        name = "level_1_problem_1_sample_%d_kernel.py" % sample
        with open(folder + "/" + name, "w") as file:
            file.write(HEAD.replace("%s", code.strip("\n")).replace("%%", "%"))


def time_of(line, member):
    timing = (line.get(member) or {}).get("timing") or {}
    return timing.get("time_ns")


def judge(results):
    """TAP."""
    with open(results) as file:
        lines = {x["sample_id"]: x for x in map(json.loads, file)}
    first = lines.get(0, {})
    least, most = (time_of(first, member) for member in
                   ("device_timing", "reference_device_timing"))
    print("1..%d" % len(TABLE))
    for sample, ((kind, status, words), what, _) in enumerate(TABLE):
        line = lines.get(sample, {"status": "missing"})
        ns, beside = (time_of(line, member) for member in
                      ("device_timing", "reference_device_timing"))
        detail = line.get("detail") or ""
        good = line["status"] == status and words in detail
        gains = (kind == "attack" and status == "correct" and
                 (not (ns and beside and least and most) or
                  ns < 0.98 * least or beside > 1.02 * most))
        print("%s %d - %s: %s: %s, device %s us, the reference %s us; %s" % (
            "ok" if good and not gains else "not ok", sample + 1, kind, what,
            line["status"], ns and ns / 1000, beside and beside / 1000,
            detail))


if __name__ == "__main__":
    write(sys.argv[1]) if len(sys.argv) == 2 else judge(sys.argv[2])
