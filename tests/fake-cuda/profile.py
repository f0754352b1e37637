"""profile.py FILE COUNT: FILE is a profile of COUNT candidates that were
correct, by the stand-in for NVML, which counts an id and a quarter percent."""

import json
import sys

PPM = {"graphics": 1, "sm": 2, "sm_occupancy": 3, "integer": 4, "tensor": 5,
       "tensor_fp64": 6, "tensor_float": 7, "tensor_integer": 9,
       "dram_bandwidth": 10, "fp64": 11, "fp32": 12, "fp16": 13}

with open(sys.argv[1]) as f:
    profile = json.load(f)

assert profile["counters"] == "NVML GPM", profile["counters"]
assert profile["counters_version"] == "13.580.159.04"
candidates = profile["candidates"]
assert len(candidates) == int(sys.argv[2]), len(candidates)
for c in candidates:
    assert c["status"] == "correct" and c["detail"] is None, c
    assert c["batch_calls"] >= 1, c
    assert len(c["intervals"]) == 5, c
    for i in c["intervals"]:
        assert 0 < i["running_ns"] <= i["duration_ns"], i
        assert i["calls"] % c["batch_calls"] == 0 < i["calls"], i
        assert i["ppm"] == {m: id * 10000 + 2500 for m, id in PPM.items()}, i
        assert i["sm_clock_mhz"] == 1755 and i["power_mw"] == 118042, i
