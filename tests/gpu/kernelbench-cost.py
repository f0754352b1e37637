"""What KernelBench's own harness costs.

    kernelbench-cost.py CHECKOUT REFERENCE:CANDIDATE...

runs eval_kernel_against_ref() of the checkout, with 5 trials for correctness
and 100 for time, in one process for each pair of files, and prints the
seconds of each and of all.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import kernelbench_harness  # noqa: E402


def evaluate(checkout, reference, candidate):
    """In a process of its own; the result is its last line."""
    harness = kernelbench_harness.load(checkout)
    import torch

    with open(reference) as f:
        reference_source = f.read()
    with open(candidate) as f:
        candidate_source = f.read()
    backend = "triton" if "import triton" in candidate_source else "cuda"
    with tempfile.TemporaryDirectory() as build_dir:
        os.environ["TORCH_EXTENSIONS_DIR"] = build_dir
        result = harness.eval_kernel_against_ref(
            reference_source, candidate_source, measure_performance=True,
            num_correct_trials=5, num_perf_trials=100, build_dir=build_dir,
            device=torch.device("cuda:0"), backend=backend)
    told = {name: result.metadata[name]
            for name in ("correctness_trials", "max_difference")
            if name in result.metadata}
    print(json.dumps({"compiled": result.compiled,
                      "correct": result.correctness, **told,
                      "us": round(1e3 * result.runtime, 1),
                      "reference_us": round(1e3 * result.ref_runtime, 1)}))


def main(arguments):
    if arguments[:1] == ["--one"] and len(arguments) == 4:
        evaluate(*arguments[1:])
        return 0
    if len(arguments) < 2 or not all(":" in pair for pair in arguments[1:]):
        sys.stderr.write(__doc__)
        return 2
    checkout, *pairs = arguments
    total = 0.0
    for pair in pairs:
        reference, candidate = pair.split(":", 1)
        start = time.monotonic()
        done = subprocess.run(
            [sys.executable, __file__, "--one", checkout, reference,
             candidate], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)
        seconds = time.monotonic() - start
        total += seconds
        last = (done.stdout.strip().splitlines() or [""])[-1]
        print("%7.1f s  %s  %s" % (seconds, os.path.basename(candidate),
                                   last), flush=True)
    print("%7.1f s  all %d" % (total, len(pairs)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
