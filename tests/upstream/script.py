"""KernelBench's analysis of results, run from a checkout that is never changed,
and beside it what kb-pack report makes of the same files."""
import contextlib
import importlib.util
import io
import json
import math
import os
import pathlib
import sys
import types


def stand_in(name, **members):
    """A package that only the command line and the pretty printing need."""
    if importlib.util.find_spec(name) is None:
        module = types.ModuleType(name)
        vars(module).update(members)
        sys.modules[name] = module


def load_analysis(checkout):
    stand_in("pydra", Config=object, REQUIRED=None,
             main=lambda **_: lambda function: function)
    stand_in("tabulate", tabulate=lambda *_, **__: "")
    # Without its __init__, which pulls in what talks to models.
    package = types.ModuleType("kernelbench")
    package.__path__ = [str(checkout / "src/kernelbench")]
    sys.modules["kernelbench"] = package
    path = checkout / "scripts/benchmark_eval_analysis.py"
    spec = importlib.util.spec_from_file_location("analysis", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def analyse(analysis, tree, level, run="my_run"):
    """As the script does it, told nothing but names."""
    timings, = tree.glob("results/timing/*/*.json")
    home = os.getcwd()
    os.chdir(tree)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return analysis.analyze_greedy_eval(
                f"{run}_level{level}", timings.parent.name, timings.stem,
                level)
    finally:
        os.chdir(home)


def differences(mine, other, where=""):
    if isinstance(other, dict):
        keys = sorted({*mine, *other})
        return [x for key in keys
                for x in differences(mine.get(key), other.get(key),
                                     f"{where}/{key}")]
    if isinstance(other, float) and math.isnan(other):
        good = mine is None
    elif isinstance(other, float):
        good = math.isclose(mine, other, rel_tol=1e-9, abs_tol=1e-9)
    else:
        good = mine == other
    return [] if good else [f"{where}: {mine} here, {other} there"]


def report_differences(analysis, run, tree, level):
    """Of the run in `tree` and its times, by the script and by kb-pack report:
    the differences, and how many times were left out. `run` runs a program."""
    timings, = tree.glob("results/timing/*/*.json")
    theirs = analyse(analysis, tree, level)
    id = run("kb-pack", "report", "--level", str(level), "--baseline-times",
             str(timings),
             str(tree / f"runs/my_run_level{level}/eval_results.json"))[-1]
    record = json.loads(
        pathlib.Path("archives", id, "data/manifest.json").read_text())
    ours = record["levels"][0]
    mine = {"total_count": ours["problems"], "total_eval": ours["results"],
            "compiled_count": ours["compiled"],
            "correct_count": ours["correct"],
            "geo_mean_speedup": ours["geomean_speedup_nano"] / 1e9,
            "fast_p": {str(x["p_milli"] / 1000):
                       x["count"] / ours["with_baseline"]
                       for x in ours["fast"]}}
    return (differences(mine, {key: theirs[key] for key in mine}),
            len(record["dataset"]["times_left_out"]))


def draw_results(rng, names):
    """What eval_results.json says of problems, by their files' names."""
    results = {}
    for name in names:
        if rng.random() < 0.9:
            correct = rng.random() < 0.8
            results[name.partition("_")[0]] = [{
                "sample_id": 0, "compiled": correct or rng.random() < 0.5,
                "correctness": correct,
                "runtime": float(f"{rng.uniform(0.1, 20):.3g}")
                if correct else -1.0}]
    return results


def write_run(tree, level, results, times):
    """A run folder of one level, and a timing file, as KernelBench has them."""
    for path, value in [("results/timing/other/old.json", times),
                        (f"runs/my_run_level{level}/eval_results.json",
                         results)]:
        (tree / path).parent.mkdir(parents=True)
        (tree / path).write_text(json.dumps(value))
