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
