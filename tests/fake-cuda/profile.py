"""profile.py FILE COUNT [REASON]: FILE is a profile of COUNT candidates that
were correct, by the stand-in for NVML, which counts an id and a quarter percent,
and the one for CUPTI, which counts a thousand of everything for each launch; or
CUPTI counted nothing, for that reason."""

import json
import sys

PPM = {"graphics": 1, "sm": 2, "sm_occupancy": 3, "integer": 4, "tensor": 5,
       "tensor_fp64": 6, "tensor_float": 7, "tensor_integer": 9,
       "dram_bandwidth": 10, "fp64": 11, "fp32": 12, "fp16": 13}

SHARES = ["dram_ppm", "occupancy_ppm", "tensor_ppm"]
SUMS = ["dram_read_bytes", "dram_write_bytes", "fp32_add_count",
        "fp32_fma_count", "fp32_mul_count", "l2_bytes", "tensor_count",
        "time_ns"]


def check_kernels(kernels, reason):
    assert kernels["unavailable"] == reason, kernels
    if reason:
        assert not kernels["list"] and not kernels["chip"], kernels
        return
    assert kernels["chip"] == "FAKE100", kernels
    assert kernels["cupti_version"] == 130001, kernels
    assert kernels["pass_count"] == 2, kernels
    assert kernels["left_out_count"] == 0, kernels
    assert kernels["list"], kernels
    for k in kernels["list"]:
        n = k["launch_count"]
        assert n >= 1 and k["name"], k
        assert k["counters"] == {**{s: 500000 for s in SHARES},
                                 **{s: 1000 * n for s in SUMS}}, k


with open(sys.argv[1]) as f:
    profile = json.load(f)

assert profile["counters"] == "NVML GPM", profile["counters"]
assert profile["counters_version"] == "13.580.159.04"
candidates = profile["candidates"]
assert len(candidates) == int(sys.argv[2]), len(candidates)
for c in candidates:
    assert c["status"] == "correct" and c["detail"] is None, c
    assert c["batch_calls"] >= 1, c
    check_kernels(c["kernels"], sys.argv[3] if len(sys.argv) > 3 else None)
    assert len(c["intervals"]) == 5, c
    for i in c["intervals"]:
        assert 0 < i["running_ns"] <= i["duration_ns"], i
        assert i["calls"] % c["batch_calls"] == 0 < i["calls"], i
        assert i["ppm"] == {m: id * 10000 + 2500 for m, id in PPM.items()}, i
        assert i["sm_clock_mhz"] == 1755 and i["power_mw"] == 118042, i
