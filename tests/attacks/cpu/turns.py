"""turns.py BUNDLE NAMES: the attacks by their sample, each beside the honest
candidate after it: how long it took, what came of it, and how long a call of that
one takes, below that of the first, before all; for people. Status 1 if one of the
honest is not correct.
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


def call_us(r):
    """Where the machine is too busy it is correct and has no time."""
    return "%.1f" % (r["timing"]["time_ns"] / 1e3) if r["timing"] else "-"


print("# | attack | status | s | honest after | us a call |")
print("# | none | - | - | %s | %s |" % (honest[0]["status"], call_us(honest[0])))
for sample, name in names.items():
    r, after = results[int(sample)], results[int(sample) + 1]
    print("# | %s | %s | %.1f | %s | %s |" % (
        name, r["status"], r["wall_ns"] / 1e9, after["status"], call_us(after)))
sys.exit(bool(wrong))
