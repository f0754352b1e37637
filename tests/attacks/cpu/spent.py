"""spent.py BUNDLE: how long each candidate took, and how much longer a call of
the last, which is honest, is than one of the first, which is the same; for
people.
"""

import json
import os
import sys

calls = []
for line in open(os.path.join(sys.argv[1], "data", "results.jsonl")):
    r = json.loads(line)
    if r["timing"]:
        calls.append(r["timing"]["time_ns"])
    print("# sample %d: %s, %.1f s"
          % (r["sample_id"], r["status"], r["wall_ns"] / 1e9))
print("# the honest one before: %.1f us; after: %.1f us, %.2fx"
      % (calls[0] / 1e3, calls[-1] / 1e3, calls[-1] / calls[0]))
