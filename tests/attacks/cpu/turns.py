"""turns.py BUNDLE NAMES: the attacks by their sample, each beside the honest
candidate after it: how long it took, what came of it, and how much longer a call
of that one is than one of the first, before all; for people. Status 1 if one of
the honest is not correct.
"""

import json
import os
import sys

names = dict(line.split() for line in open(sys.argv[2]))
results = {}
for line in open(os.path.join(sys.argv[1], "data", "results.jsonl")):
    r = json.loads(line)
    results[r["sample_id"]] = r
honest = [r for n, r in sorted(results.items()) if str(n) not in names]
wrong = [r for r in honest if r["status"] != "correct"]
first = None if wrong else honest[0]["timing"]["time_ns"]
print("# | attack | status | s | honest after | times the first |")
for sample, name in names.items():
    r, after = results[int(sample)], results[int(sample) + 1]
    times = "-" if wrong else "%.2f" % (after["timing"]["time_ns"] / first)
    print("# | %s | %s | %.1f | %s | %s |" % (
        name, r["status"], r["wall_ns"] / 1e9, after["status"], times))
sys.exit(bool(wrong))
