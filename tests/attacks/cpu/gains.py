"""gains.py BUNDLE TWINS: what each candidate gains over its twin, for people.

A line of TWINS is a problem, a sample and its twin's sample.
"""

import json
import os
import sys

bundle, twins = sys.argv[1:]
times = {}
for line in open(os.path.join(bundle, "data", "results.jsonl")):
    r = json.loads(line)
    if r["timing"]:
        times[r["key"], r["sample_id"]] = (r["timing"]["time_ns"],
                                           r["timing"]["basis"])
for line in open(twins):
    key, sample, twin = line.split()
    time_ns, basis = times[key, int(sample)]
    twin_ns, _ = times[key, int(twin)]
    print("# %s %s: %.2f us (%s), its twin %.2f us: %.2fx"
          % (key, sample, time_ns / 1e3, basis, twin_ns / 1e3,
             twin_ns / time_ns))
