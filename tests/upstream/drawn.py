"""Drawn results of a suite's problems, as the bundles that kb-baseline and
kb-eval would have written on a CPU: whatever verifies them finds nothing
wrong. By the rules of tests/forged/honest.py."""

import collections
import fractions
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "forged"))
import honest

# How each of a problem's candidates ends, and how often.
STATUSES = ["correct"] * 4 + ["mismatch", "build_failed", "timed_out"]
SAMPLES = 3
TIES = [fractions.Fraction(x, 10) for x in (5, 8, 10, 15, 20)]
TRIALS = honest.policy_of("cpu", "kb-eval")["trials"]


def candidate_text(key, sample):
    return f"# {key}, sample {sample}\n"


def write_run(folder, keys):
    """The candidates, as KernelBench's runs have them."""
    folder.mkdir(parents=True)
    for key in keys:
        level, problem = key.split("/")
        for sample in range(SAMPLES):
            name = f"level_{level}_problem_{problem}_sample_{sample}_kernel.py"
            (folder / name).write_text(candidate_text(key, sample))
    (folder / "generation_config.yaml").write_text("run_name: my run\n")


# --- times -----------------------------------------------------------------

def draw_slopes(time_ns, rng):
    """Whose median is about the time, and whose mean is not; all of them
    divided by a speedup of TIES are whole nanoseconds."""
    return [x - x % 12 + 12 for x in
            [time_ns,
             *(time_ns - rng.randrange(time_ns // 50 + 1) for _ in range(2)),
             *(time_ns + rng.randrange(time_ns // 10 + 1)
               for _ in range(TRIALS - 3))]]


def timing(slopes, rng):
    """Trials with these slopes, and other samples each time."""
    small = [40000 + 4 * slopes[0] + rng.randrange(5000) for _ in slopes]
    return honest.decide({
        "clock": "call", "n_small": 4, "n_large": 12, "small_ns": small,
        "large_ns": [s + 8 * x for s, x in zip(small, slopes)],
        "n_one_call": 1, "one_call_ns": [], "alone_ns": [],
        "copy_in_small_ns": None, "copy_in_large_ns": None,
        "copy_in_one_call_ns": None, "device_ns": None,
        "stop_reason": "trials"})


def wall_ns(*timings):
    """With what else there was to do."""
    return 10**9 + sum(sum(t[samples]) for t in timings for samples in
                       ("small_ns", "large_ns", "one_call_ns"))


def candidate_slopes(slopes, rng):
    """Of one that is faster or slower, some of them by exactly a p of
    fast_p."""
    speedup = rng.choice([*TIES, rng.uniform(0.2, 4)])
    if speedup in TIES:
        return [int(x / speedup) for x in slopes]
    return draw_slopes(max(1, int(slopes[0] / speedup)), rng)


# --- lines -----------------------------------------------------------------

def compared(facts, calls, is_wrong=False):
    """The outputs of a run of so many calls."""
    return [{"elements": honest.elements(t) * calls, "nan": 0,
             "mismatched": int(is_wrong),
             "max_abs_error": "0.25" if is_wrong else "1.5e-06",
             "max_rel_error": "1.25" if is_wrong else "2.5e-06",
             "rms_error": "0.125" if is_wrong else "2.5e-07"}
            for t in facts["outputs"]]


def fp64_error(facts):
    if all("float" not in t["dtype"] for t in facts["outputs"]):
        return None
    return dict(honest.FP64_ERROR, outputs=honest.FP64_ERROR["outputs"] *
                len(facts["outputs"]))


def alternate_inputs(line, facts):
    if line["status"] != "correct":
        return honest.NOT_TRIED
    return {"trials": 9, "outputs": compared(facts, 12),
            "trial_seeds": honest.seeds(9, line["key"], line["sample_id"]),
            "fp64_reference_error": None}


def reference_line(key, facts, slopes, rng):
    line = honest.line_of(key, "timed", mode="eager",
                          timing=timing(slopes, rng))
    line.update(fp64_reference_error=fp64_error(facts),
                wall_ns=wall_ns(line["timing"]))
    honest.draw_seeds(line, "cpu", "reference")
    return line


def add_times(line, slopes, rng):
    line["timing"] = timing(candidate_slopes(slopes, rng), rng)
    line["reference_timing"] = timing(slopes, rng)
    honest.add_one_call(line["timing"], line["reference_timing"],
                        line["timing"]["time_ns"])
    line["wall_ns"] = wall_ns(line["timing"], line["reference_timing"])


def candidate_line(key, sample, facts, slopes, rng):
    status = rng.choice(STATUSES)
    line = honest.line_of(
        key, status, sample_id=sample, outputs=None, timing=None,
        candidate_sha256=honest.digest(candidate_text(key, sample).encode()),
        reference_timing=None)
    line["fp64_reference_error"] = fp64_error(facts)
    if status == "build_failed":
        line["phase"] = "build"
    if status == "correct":
        add_times(line, slopes, rng)
        line["outputs"] = compared(facts, 12)
    if status == "mismatch":
        line["outputs"] = compared(facts, 1, is_wrong=True)
    if facts["remedy"]:
        line["alternate_inputs"] = alternate_inputs(line, facts)
    honest.draw_seeds(line, "cpu", sample)
    return line


# --- bundles ---------------------------------------------------------------

def facts_of(suite):
    record = pathlib.Path("archives", suite, "data/manifest.json")
    return {problem["key"]: problem["facts"]
            for problem in json.loads(record.read_text())["problems"]}


def put(kind, tool, keys, lines, parents, **more):
    """Into the store; its id."""
    bundle = honest.Bundle({})
    conditions = honest.conditions("cpu", tool)
    conditions["options"]["problems"] = ",".join(keys)
    bundle.record = dict(honest.head(kind, **parents), problems=keys,
                         **conditions, **more)
    bundle.set_lines(lines)
    bundle.write(pathlib.Path("archives", bundle.id()))
    return bundle.id()


def draw_pair(suite, submission, keys, seed=1):
    """An evaluation and a baseline, by their ids."""
    rng, known = random.Random(seed), facts_of(suite)
    references, candidates = [], []
    for key in keys:
        slopes = draw_slopes(rng.randrange(1000, 10**9), rng)
        references.append(reference_line(key, known[key], slopes, rng))
        candidates += [candidate_line(key, sample, known[key], slopes, rng)
                       for sample in range(SAMPLES)]
    counts = collections.Counter(x["status"] for x in candidates)
    return (put("evaluation", "kb-eval", keys, candidates,
                {"suite": suite, "submission": submission},
                status_counts=counts),
            put("baseline", "kb-baseline", keys, references,
                {"suite": suite}, mode="eager"))
