#!/usr/bin/env python3
"""Kernels that others published, as a suite and a submission of kb's, and what
an evaluation says of them beside what was claimed. See README.md."""

import argparse
import collections
import csv
import json
import math
import pathlib
import re
import statistics
import sys

# CUDA-L1's files, and what it calls the GPUs.
L1_SETS = ["h100", "a100", "h20", "l40", "3090"]
CLASS = re.compile(r"\bclass\s+ModelNew\b")

# Of a time by the device's clock: how wide its interval may be. On a machine
# that is busy with compilers intervals say that a time is not known.
WIDEST = 0.1


class Corpus:
    """Problems, candidates of different text, and who claims what of them."""

    def __init__(self):
        self.problems = {}
        self.samples = collections.defaultdict(list)
        self.claims = []

    def add(self, name, key, text, claimed):
        """One entry of the set `name`; without ModelNew it is only counted."""
        sample = None
        if text and CLASS.search(text):
            texts = self.samples[key]
            if text not in texts:
                texts.append(text)
            sample = texts.index(text)
        self.claims.append({"set": name, "level": key[0], "problem": key[1],
                            "sample": sample, "claimed": claimed})

    def write(self, out):
        out.mkdir(parents=True)
        for (level, problem), text in self.problems.items():
            folder = out / "suite" / f"level{level}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{problem}_problem.py").write_text(text)
        (out / "submission").mkdir()
        for (level, problem), texts in self.samples.items():
            for i, text in enumerate(texts):
                name = f"level_{level}_problem_{problem}_sample_{i}_kernel.py"
                (out / "submission" / name).write_text(text)
        (out / "claims.json").write_text(json.dumps(self.claims, indent=0))


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()
            if line.strip()]


def key_of(entry):
    return int(entry["level_id"]), int(entry["task_id"])


def read_l1(checkout):
    """The five sets have the same references. What CUDA-L1 compares with, a
    CUDA graph around the reference's module, is a class named Model."""
    corpus = Corpus()
    for name in L1_SETS:
        for e in lines_of(checkout / "optimized_cuda_code" / f"{name}.json"):
            first = corpus.problems.setdefault(key_of(e), e["ref_code"])
            if first != e["ref_code"]:
                sys.exit(f"kernels.py: {name}: {key_of(e)} has another "
                         "reference than the sets before")
            corpus.add(name, key_of(e), e["custom_code"], e["score_default"])
    for e in lines_of(checkout / "more_baselines" / "cuda_graph.json"):
        corpus.add("cuda-graph", key_of(e),
                   re.sub(r"\bModel\b", "ModelNew", e["code"]), None)
    return corpus


def read_board(checkout):
    """What the leaderboard shows: the best five of each problem."""
    corpus = Corpus()
    assets = checkout / "docs" / "assets"
    shown = json.loads((assets / "data.json").read_text())
    for title, entries in shown.items():
        level, problem = map(int, re.match(r"Level (\d): (\d+)_",
                                           title).groups())
        key = level, problem
        corpus.problems[key] = (assets / "problems" /
                                f"l{level}_p{problem}.py").read_text()
        for e in entries:
            text = (assets / "solutions" / f"{e['file']}.py").read_text()
            corpus.add("leaderboard", key, text, e["torch_speedup"])
    return corpus


# --- what came of it ---------------------------------------------------------

def read_results(paths):
    """By key and sample, from bundles of evaluations or files of --events. Of
    two of one text the later one counts; what says that a problem has no
    candidate there is none."""
    out = {}
    for path in paths:
        if path.is_dir():
            path = path / "data" / "results.jsonl"
        for line in lines_of(path):
            r = line.get("result") if "event" in line else line
            if r and "sample_id" in r and r["status"] != "missing":
                out[r["level"], r["problem_id"], r["sample_id"]] = r
    return out


def time_ns(timing):
    return timing and timing["time_ns"]


def by_device(r):
    """Reference and candidate; on a CPU there is no such clock."""
    return [r.get(m) and r[m]["timing"]
            for m in ("reference_device_timing", "device_timing")]


def speedup(r, clock):
    a, b = map(time_ns, by_device(r) if clock == "device"
               else (r["reference_timing"], r["timing"]))
    return a / b if a and b else None


def is_known(timing):
    low, high = timing["low_ns"], timing["high_ns"]
    return (low is not None and high is not None
            and high - low <= WIDEST * timing["time_ns"])


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def print_statuses(name, entries, results):
    counts = collections.defaultdict(collections.Counter)
    for c in entries:
        r = results.get((c["level"], c["problem"], c["sample"]))
        status = ("no ModelNew" if c["sample"] is None
                  else r["status"] if r else "not evaluated")
        counts[status][c["level"]] += 1
    levels = sorted({c["level"] for c in entries})
    print(f"\n## {name}: {len(entries)} entries\n")
    print("| status |", " | ".join(f"level {n}" for n in levels), "| all |")
    print("| --- |", " | ".join("---:" for _ in levels), "| ---: |")
    for status, by in sorted(counts.items(),
                             key=lambda x: -sum(x[1].values())):
        print(f"| {status} |", " | ".join(str(by[n] or "") for n in levels),
              f"| {sum(by.values())} |")


def print_speedups(entries, results):
    """Of what is correct. What is claimed is asked of those alone that have a
    time by the device's clock, if there are any, and one that is known."""
    rows = []
    vague = 0
    for c in entries:
        r = results.get((c["level"], c["problem"], c["sample"]))
        if not r or r["status"] != "correct":
            continue
        device = speedup(r, "device")
        if device and not all(map(is_known, by_device(r))):
            vague += 1
        else:
            rows.append((c["claimed"], device, speedup(r, "call")))
    rows = [r for r in rows if r[1]] or rows
    print("\n| | with one | geometric mean | median | faster | by 5 % | "
          "slower by 5 % |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for i, name in enumerate(("claimed", "device", "call")):
        v = [r[i] for r in rows if r[i]]
        if v:
            print(f"| {name} | {len(v)} | {mean(v):.3f} | "
                  f"{statistics.median(v):.3f} | {sum(x > 1 for x in v)} | "
                  f"{sum(x >= 1.05 for x in v)} | "
                  f"{sum(x <= 1 / 1.05 for x in v)} |")
    if vague:
        print(f"\nLeft out: {vague} with an interval wider than "
              f"{WIDEST:.0%} of the time, the candidate's or the reference's.")


def print_failures(entries, results):
    print()
    for c in entries:
        r = results.get((c["level"], c["problem"], c["sample"]))
        if r and r["status"] != "correct":
            said = (r["log"].strip() or "-").splitlines()[-1][:200]
            print(f"    {c['level']}/{c['problem']} sample {c['sample']}: "
                  f"{r['status']}: {r['detail']}: {said}")


def print_tables(out, paths, with_failures):
    claims = json.loads((out / "claims.json").read_text())
    results = read_results(paths)
    for name in dict.fromkeys(c["set"] for c in claims):
        entries = [c for c in claims if c["set"] == name]
        print_statuses(name, entries, results)
        print_speedups(entries, results)
        if with_failures:
            print_failures(entries, results)


def distance(timing, end):
    """On logarithms, from the time to that end of its interval."""
    if timing[end] is None or timing[end] <= 0:
        return math.inf
    return abs(math.log(timing["time_ns"] / timing[end]))


def interval(reference, candidate):
    """Of the quotient, as doc/spec-statistics.md has it for a change: MOVER, by Zou
    and Donner. An end that is not known is infinitely far."""
    ratio = reference["time_ns"] / candidate["time_ns"]
    return (ratio * math.exp(-math.hypot(distance(reference, "low_ns"),
                                         distance(candidate, "high_ns"))),
            ratio * math.exp(math.hypot(distance(reference, "high_ns"),
                                        distance(candidate, "low_ns"))))


def row_of(claim, label, r):
    """By the device's clock where both sides have a time by it."""
    row = [claim["set"], claim["level"], claim["problem"], claim["sample"],
           r["candidate_sha256"][:16], label, r["status"],
           claim["claimed"] and f"{claim['claimed']:.3f}"]
    device = by_device(r)
    clock = "device" if all(map(time_ns, device)) else "call"
    times = device if clock == "device" else [r["reference_timing"],
                                              r["timing"]]
    if r["status"] != "correct" or not all(map(time_ns, times)):
        return row + [None] * 6
    ratio = time_ns(times[0]) / time_ns(times[1])
    return row + [clock, *map(time_ns, times)] + [
        f"{x:.3f}" for x in (ratio, *interval(*times))]


def print_rows(out, labelled):
    """A line for each entry that was judged, as comma-separated values."""
    claims = json.loads((out / "claims.json").read_text())
    found = {}
    for text in labelled:
        label, _, path = text.partition("=")
        for key, r in read_results([pathlib.Path(path)]).items():
            found[key] = label, r
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["set", "level", "problem", "sample", "candidate_sha256",
                     "gpu", "status", "claimed", "clock", "reference_ns",
                     "candidate_ns", "speedup", "low", "high"])
    for c in claims:
        key = c["level"], c["problem"], c["sample"]
        if key in found:
            writer.writerow(row_of(c, *found[key]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb in ("cuda-l1", "leaderboard"):
        p = verbs.add_parser(verb)
        p.add_argument("checkout", type=pathlib.Path)
        p.add_argument("out", type=pathlib.Path)
    p = verbs.add_parser("table")
    p.add_argument("--failures", action="store_true")
    p.add_argument("out", type=pathlib.Path)
    p.add_argument("evaluations", type=pathlib.Path, nargs="+")
    p = verbs.add_parser("rows")
    p.add_argument("out", type=pathlib.Path)
    p.add_argument("evaluations", metavar="GPU=EVALUATION", nargs="+")
    args = parser.parse_args()
    if args.verb == "rows":
        print_rows(args.out, args.evaluations)
        return
    if args.verb == "table":
        print_tables(args.out, args.evaluations, args.failures)
        return
    if args.out.exists():
        sys.exit(f"kernels.py: '{args.out}' is there already")
    read = read_l1 if args.verb == "cuda-l1" else read_board
    corpus = read(args.checkout)
    corpus.write(args.out)
    print(f"{len(corpus.problems)} problems, "
          f"{sum(map(len, corpus.samples.values()))} candidates, "
          f"{len(corpus.claims)} claims")


if __name__ == "__main__":
    main()
