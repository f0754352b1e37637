"""Forgeries of facts that stand beside each other: numbers of a machine, of a
server, of ranks, and of one line, of which one contradicts the other."""

from bend import (FORGED, of_line, of_lines, of_record, rechained,
                  set_to)
from honest import of_two, with_outputs_of_two
from of_ancestors import STORE
from of_rules import keyed
from told import joined, of_ranks

CUDA = ("evaluation cuda", "baseline cuda")
RUNS = CUDA + ("evaluation cpu", "baseline cpu")


def environment(section, **facts):
    """Facts that are others, and the match key that follows."""
    return keyed(lambda r: r["environment"].setdefault(
        section, {}).update(facts))


OF_GPUS = [
    ("device", dict(memory_bytes=1 << 34)),
    ("gpu", dict(uuids=["GPU-1", "GPU-2"])),
    ("gpu", dict(uuids=["GPU-0", "GPU-0"])),
    ("gpu", dict(uuids=[])), ("gpu", dict(uuids=["GPU-0"])),
    ("gpu", dict(uuids="GPU-0")), ("gpu", dict(uuids=["GPU-0", 5, "GPU-1"])),
    ("gpu", dict(pcie_generation=5, pcie_generation_max=3)),
    ("gpu", dict(other_processes=-1)), ("gpu", dict(l2_cache_bytes=-5)),
    ("gpu", dict(memory_bytes=-1)), ("gpu", dict(memory_bytes=0)),
    ("gpu", dict(multiprocessors=264)), ("gpu", dict(max_sm_clock_mhz=4000)),
    ("gpu", dict(links="telepathy")), ("gpu", dict(links="nvlink")),
    ("torch", dict(cudnn_version=80000)),
    ("device", dict(host_memory_bytes=-1)),
]
OF_HOSTS = [
    ("cpu", dict(cores_online=0)), ("cpu", dict(cores_allowed=0)),
    ("cpu", dict(cores_allowed=-3)), ("torch", dict(threads_count=0)),
    ("torch", dict(threads_count=17)), ("os", dict(page_bytes=-1)),
    ("os", dict(load_average_1min_milli=-1)),
    ("cpu", dict(l1d_cache_bytes=-1)), ("cpu", dict(max_clock_khz=-1)),
    ("torch", dict(weights_files_count=-1)),
    ("isolation", dict(other_user_why_not="no")),
    ("isolation", dict(cgroup_why_not="no")),
]


def facts_apart(w):
    for names, all_facts in ((CUDA, OF_GPUS), (RUNS, OF_HOSTS)):
        for name in names:
            for section, facts in all_facts:
                yield "%s %r: %s" % (section, facts, name), w.edited(
                    name, environment(section, **facts))
    for name in RUNS:
        for dirty in (True, False):
            yield "no commit, and dirty %r: %s" % (dirty, name), w.edited(
                name, of_record(set_to(dirty, "tool", "git_dirty")))
        yield "a commit, dirty or not: " + name, w.edited(
            name, of_record(set_to("ab" * 20, "tool", "git_commit")))


def lines_apart(w):
    """What a line says of itself in two places."""
    for name in RUNS:
        yield "a cut log that is empty: " + name, w.edited(
            name, of_line(0, set_to(True, "log_truncated")))
        for draws in (1, 2, 4, 1000000):
            yield "%d draws: %s" % (draws, name), w.edited(name, of_line(
                0, set_to(draws, "fp64_reference_error", "draws")))
    for name in CUDA:
        for count in (1, 10 ** 15):
            yield "repeated %d times, and never slow: %s" % (
                count, name), w.edited(name, of_line(
                    0, set_to(count, "device_timing", "repeated")))
    for name in ("evaluation cpu", "evaluation cuda"):
        for signal in ("SIGNOPE", "SIGCONT", "SIGCHLD", "SIGSTOP", "SIG",
                       "SIGRTMIN+99", "SIGSEGV+1"):
            yield "ended by %s: %s" % (signal, name), w.edited(
                name, of_line(3, set_to(signal, "signal")))
        for error in ("0", "1e-300", "9.9e-05"):
            yield "a mismatch by %s: %s" % (error, name), w.edited(
                name, of_line(1, lambda x, e=error: x["outputs"][0].update(
                    max_abs_error=e, max_rel_error="0", rms_error="0")))
    for date in ("2026-02-31", "2026-13-01", "2025-02-29"):
        yield "a submission of " + date, w.edited(
            "submission", of_record(set_to(date, "date")))


# --- servers, ranks ----------------------------------------------------------

def is_served(**options):
    def edit(r):
        r["tool"]["name"] = "kb-serve"
        r["options"].update(options)
        r["served"] = {"asked": sum(r["status_counts"].values()) + 2,
                       "remembered": 2, "withdrawn": 0}
    return of_record(edit)


def of_server(b):
    of_record(set_to("served", "source_format"))(b)


def served(w):
    def forge(edit, of_submission=of_server):
        def make():
            bundles = rechained({n: w.made[n] for n in (
                "suite", "submission", "evaluation cpu")}, "submission",
                of_submission)
            edit(bundles["evaluation cpu"])
            for b in bundles.values():
                b.write(STORE / b.id())
            bundles["evaluation cpu"].write(FORGED)
            return ["--store", STORE, FORGED]
        return make
    for options in ({}, {"memory": "false"}, {"memory": "perhaps"}):
        yield "remembered, with %r" % options, forge(is_served(**options))
    yield "of somebody's folder", forge(is_served(memory="true"),
                                        lambda b: None)


def with_ranks(w, of, *edits):
    def make():
        names = ("suite", "submission", "baseline cuda", "evaluation cuda")
        bundles = rechained({n: w.made[n] for n in names}, "suite",
                            of_record(of_two))
        of_lines(with_outputs_of_two)(bundles[of])
        for edit in edits:
            edit(bundles[of])
        for b in bundles.values():
            b.write(STORE / b.id())
        bundles[of].write(FORGED)
        return ["--store", STORE, FORGED]
    return make


def ranks(w):
    """GPUs that share a problem, and nothing of what joins them."""
    for name in CUDA:
        yield "no links: " + name, with_ranks(w, name)
        for links in ("telepathy", 7):
            yield "%r as links: %s" % (links, name), with_ranks(
                w, name, environment("gpu", links=links))


DIFFERS = "output 1 [0]: 1, expected 2; 100 %% differ"


def reasons(w):
    """Ranks that nobody has."""
    for i, text in ((1, "rank %d, " + DIFFERS), (1, DIFFERS + "; rank %d, output "
                                                "0: 1 of 9 elements, by up to 1"),
                    (3, "rank %d: ended by SIGSEGV")):
        for name in ("evaluation cpu", "evaluation cuda"):
            yield "%r: %s" % (text % 0, name), w.edited(
                name, of_line(i, set_to(text % 0, "detail")))
        yield "%r: of two" % (text % 2), with_ranks(
            w, "evaluation cuda", of_record(joined), of_lines(of_ranks),
            of_line(i, set_to(text % 2, "detail")))
    yield "a reference: baseline cpu", w.edited("baseline cpu", of_line(
        1, lambda x: x.update(status="timed_out", phase="run", timing=None,
                              wall_ns=60 * 10 ** 9, detail="rank 1: late")))
