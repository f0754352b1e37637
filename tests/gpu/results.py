"""What tests/gpu reads out of bundles, and out of the machine.

    results.py gpu
    results.py census
    results.py times BUNDLE
    results.py batches BUNDLE
    results.py timed BUNDLE
    results.py verdicts TABLE SUITE BUNDLE
    results.py agreement BUNDLE LIMIT_PPM [ALONE]
    results.py self BUNDLE
    results.py wall BUNDLE
    results.py diff BUNDLE BUNDLE

A BUNDLE is a directory in a store. Lines that start with "ok" and "not ok"
are TAP, without numbers; others are comments. "gpu" ends with status 1 and
the reason if there is no device.
"""

import ctypes
import json
import os
import re
import statistics
import sys

# How far a candidate may be from its twin by the device's clock, and where the
# twin takes less than SHORT_NS: where a process's memory lies shows in those.
SAME_MAX = 0.01
SHORT_MAX = 0.06
SHORT_NS = 6000
# Host code is in this clock; other processes' too.
CALL_GAIN_MAX = 1.10
SELF_MEDIAN_MAX = 0.003
SELF_MAX = 0.01


# --- bundles -------------------------------------------------------------


def lines_of(bundle):
    with open(os.path.join(bundle, "data", "results.jsonl")) as f:
        return [json.loads(line) for line in f]


def is_baseline(line):
    return "mode" in line


def device_of(line, whose=""):
    return line.get(whose + "device_timing") or {}


def device_timing_of(line, whose=""):
    return device_of(line, whose).get("timing") or {}


def device_ns(line, whose=""):
    return device_timing_of(line, whose).get("time_ns")


def basis_of(line):
    return (device_of(line).get("not_queueable") or
            device_timing_of(line).get("basis") or "-")


def call_ns(line, whose=""):
    return (line.get(whose + "timing") or {}).get("time_ns")


def time_of(line, whose=""):
    """The device's time, where there is one, and which clock it is of."""
    ns = device_ns(line, whose)
    return (ns, "device") if ns else (call_ns(line, whose), "call")


def name_of(line):
    if is_baseline(line):
        return "%s %s" % (line["key"], line["mode"])
    return "%s sample %d" % (line["key"], line["sample_id"])


def us(ns):
    return "-" if ns is None else "%.3f" % (ns / 1e3)


def percent(ratio):
    return "-" if ratio is None else "%+.2f%%" % ((ratio - 1) * 100)


def ratio_of(a, b):
    return a / b if a and b else None


# --- output --------------------------------------------------------------


def result(good, text):
    print("%s - %s" % ("ok" if good else "not ok", text))


def table(rows):
    widths = [max(len(str(row[i])) for row in rows)
              for i in range(len(rows[0]))]
    for row in rows:
        print("# " + "  ".join(str(cell).ljust(width) for cell, width
                               in zip(row, widths)).rstrip())


# --- the machine ---------------------------------------------------------


def find_gpu():
    """The reason why there is none, or its name."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False, "no CUDA driver"
    code = driver.cuInit(0)
    if code:
        return False, "the CUDA driver does not start: error %d" % code
    count, name = ctypes.c_int(), ctypes.create_string_buffer(96)
    driver.cuDeviceGetCount(ctypes.byref(count))
    if not count.value:
        return False, "no CUDA device"
    driver.cuDeviceGetName(name, 96, 0)
    return True, name.value.decode()


class Memory(ctypes.Structure):
    _fields_ = [("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong),
                ("used", ctypes.c_ulonglong)]


def census():
    """Processes on the first device, or -1, and MiB of its memory that
    somebody has."""
    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return None
    device, memory = ctypes.c_void_p(), Memory()
    count = ctypes.c_uint(0)
    if nvml.nvmlInit_v2() or nvml.nvmlDeviceGetHandleByIndex_v2(
            0, ctypes.byref(device)):
        return None
    if nvml.nvmlDeviceGetMemoryInfo(device, ctypes.byref(memory)):
        return None
    processes = getattr(nvml, "nvmlDeviceGetComputeRunningProcesses_v3", None)
    # 7 is NVML_ERROR_INSUFFICIENT_SIZE: there are some.
    if not processes or processes(device, ctypes.byref(count),
                                  None) not in (0, 7):
        return -1, memory.used >> 20
    return count.value, memory.used >> 20


# --- commands ------------------------------------------------------------


def times(bundle):
    rows = [("", "status", "device us", "95 %", "decided by", "ended by",
             "call us", "reference us", "drift", "ratio")]
    for line in lines_of(bundle):
        timing = device_timing_of(line)
        interval = "-"
        if timing.get("low_ns"):
            interval = "%s-%s" % (us(timing["low_ns"]), us(timing["high_ns"]))
        reference, _ = time_of(line, "reference_")
        own, _ = time_of(line)
        ratio = ratio_of(reference, own)
        beside = device_of(line, "reference_")
        drift = ratio_of(beside.get("control_after_ns"),
                         beside.get("control_before_ns"))
        rows.append((name_of(line), line["status"], us(timing.get("time_ns")),
                     interval, basis_of(line),
                     timing.get("stop_reason") or "-", us(call_ns(line)),
                     us(reference), percent(drift),
                     "%.3f" % ratio if ratio else "-"))
    table(rows)


def batches(bundle):
    for line in lines_of(bundle):
        sizes = device_timing_of(
            line, "" if is_baseline(line) else "reference_")
        if sizes:
            print(line["key"], sizes["n_small"], sizes["n_large"])


def timed(bundle):
    times(bundle)
    for line in lines_of(bundle):
        good = line["status"] in ("timed", "correct") and time_of(line)[0]
        result(good, "%s has a time" % name_of(line))


def read_table(path, suite):
    """{(key, sample): (file, twin, verdict)}"""
    rows = {}
    with open(path) as f:
        for text in f:
            fields = text.split()
            if not fields or fields[0].startswith("#") or fields[0] != suite:
                continue
            _, sample, file, twin, verdict, keys, more = fields
            for key in (keys + "," + more).split(","):
                rows[key, int(sample)] = (file, twin, verdict.split(","))
    return rows


def judge(line, twin, verdict):
    """Is it as it should be?"""
    if line["status"] != "correct":
        return line["status"] in verdict
    if not time_of(line)[0]:
        return False
    if "legal" in verdict:
        return True
    if twin is None or not time_of(twin)[0]:
        return False
    device = ratio_of(device_ns(twin), device_ns(line))
    call = ratio_of(call_ns(twin), call_ns(line))
    short = (device_ns(twin) or SHORT_NS) < SHORT_NS
    limit = SHORT_MAX if short else SAME_MAX
    if "same" in verdict:
        return device is not None and abs(device - 1) <= limit
    return ("no-gain" in verdict
            and (device is None or device <= 1 + limit)
            and (call is None or call <= CALL_GAIN_MAX))


def verdicts(path, suite, bundle):
    expected = read_table(path, suite)
    lines = {(line["key"], line["sample_id"]): line
             for line in lines_of(bundle) if line["status"] != "missing"}
    rows = [("", "file", "status", "device us", "gain", "decided by",
             "call us", "gain", "expected")]
    verdict_lines = []
    for where, line in sorted(lines.items(),
                              key=lambda item: (item[1]["level"],
                                                item[1]["problem_id"],
                                                item[0][1])):
        file, twin_id, verdict = expected[where]
        twin = lines.get((where[0], int(twin_id))) if twin_id != "-" else None
        rows.append((name_of(line), file, line["status"],
                     us(device_ns(line)),
                     percent(ratio_of(twin and device_ns(twin),
                                      device_ns(line))),
                     basis_of(line),
                     us(call_ns(line)),
                     percent(ratio_of(twin and call_ns(twin),
                                      call_ns(line))), ",".join(verdict)))
        verdict_lines.append((judge(line, twin, verdict), "%s %s: %s" % (
            where[0], file, line["status"])))
        if not verdict_lines[-1][0] and line["status"] != "correct":
            verdict_lines[-1] += ((line.get("detail") or "")
                                  + "\n" + line["log"],)
    table(rows)
    for good, text, *why in verdict_lines:
        for part in why:
            print("\n".join("# " + row for row in part.splitlines()))
        result(good, text)


def event_slopes(line):
    """What the candidate's own events say of the batches that were timed.
    Runs of one call come after them, and may have the size of the small ones."""
    sizes = device_timing_of(line)
    seen = re.findall(r"^events (\d+) (\d+)$", line["log"], re.M)
    if not sizes:
        return []
    small, large = ([int(ns) for n, ns in seen if int(n) == size]
                    for size in (sizes["n_small"], sizes["n_large"]))
    if sizes["n_small"] == 1:
        small = small[:max(0, len(small) - len(sizes["one_call_ns"]))]
    pairs = min(len(small), len(large), len(sizes["small_ns"]))
    calls = sizes["n_large"] - sizes["n_small"]
    return [(b - a) / calls for a, b in zip(small[len(small) - pairs:],
                                            large[len(large) - pairs:])]


def batches_ns(line, whose=""):
    """By the same batches as the events, whatever decides in the end."""
    t = device_timing_of(line, whose)
    if not t or t["method"] != "slope":
        return t.get("time_ns")
    return statistics.median(
        (large - small) / (t["n_large"] - t["n_small"])
        for small, large in zip(t["small_ns"], t["large_ns"]))


def agreement(bundle, limit_ppm, alone_path=None):
    limit = int(limit_ppm) / 1e6
    alone = {}
    if alone_path:
        with open(alone_path) as f:
            alone = {key: float(ns) for key, ns in (x.split() for x in f)}
    rows = [("", "us with events", "by events", "difference", "batches",
             "us without", "by itself", "difference")]
    verdict_lines = []
    for line in lines_of(bundle):
        if line["status"] == "missing":
            continue
        key, own = line["key"], batches_ns(line)
        plain = batches_ns(line, "reference_")
        slopes = event_slopes(line)
        events = statistics.median(slopes) if slopes else None
        inside = ratio_of(own, events)
        outside = ratio_of(plain, alone.get(key))
        rows.append((key, us(own), us(events), percent(inside), len(slopes),
                     us(plain), us(alone.get(key)), percent(outside)))
        verdict_lines.append((inside is not None
                              and abs(inside - 1) <= limit,
                              "%s agrees with events beside it" % key))
        if alone_path:
            verdict_lines.append((outside is not None
                                  and abs(outside - 1) <= limit,
                                  "%s agrees with events of another process"
                                  % key))
    table(rows)
    for good, text in verdict_lines:
        result(good, text)


def self_ratios(bundle):
    times(bundle)
    ratios = []
    for line in lines_of(bundle):
        if line["status"] == "missing":
            continue
        (own, clock), (reference, other) = time_of(line), time_of(
            line, "reference_")
        ratio = ratio_of(reference, own) if clock == other else None
        result(line["status"] == "correct" and ratio is not None,
               "%s %s, by the %s clock" % (name_of(line), line["status"],
                                           clock))
        if ratio:
            ratios.append((abs(ratio - 1), line["key"]))
    if not ratios:
        result(False, "no ratio at all")
        return
    median = statistics.median(r for r, _ in ratios)
    worst, key = max(ratios)
    result(median <= SELF_MEDIAN_MAX,
           "%d problems, |ratio - 1|: median %.3f %%" % (len(ratios),
                                                         median * 100))
    result(worst <= SELF_MAX, "the largest, of %s: %.3f %%" % (key,
                                                               worst * 100))


def wall(bundle):
    rows = [("", "status", "seconds")]
    for line in lines_of(bundle):
        rows.append((name_of(line), line["status"],
                     "%.1f" % (line["wall_ns"] / 1e9)))
    table(rows)


def diff(one, other):
    first = {name_of(line): line for line in lines_of(one)}
    rows = [("", "us", "us", "difference", "clock")]
    differences = []
    for line in lines_of(other):
        before = first.pop(name_of(line), None)
        (b, clock), (a, clock_before) = time_of(line), (
            time_of(before) if before else (None, None))
        if not a or not b or clock != clock_before:
            rows.append((name_of(line), us(a), us(b), "-", "-"))
            continue
        rows.append((name_of(line), us(a), us(b), percent(b / a), clock))
        differences.append((abs(b / a - 1), name_of(line)))
    rows += [(name, us(time_of(line)[0]), "-", "-", "-")
             for name, line in first.items()]
    table(rows)
    if not differences:
        result(False, "the baselines have no time in common")
        return
    print("# %d times; the largest difference is %s's, %.3f %%" % (
        len(differences), max(differences)[1], max(differences)[0] * 100))
    median = statistics.median(d for d, _ in differences)
    result(median <= 0.005, "median difference %.3f %%" % (median * 100))


def main(arguments):
    command, *rest = arguments or [""]
    if command == "gpu" and not rest:
        found, text = find_gpu()
        print(text)
        return 0 if found else 1
    if command == "census" and not rest:
        now = census()
        print("%d %d" % now if now else "unknown")
        return 0
    commands = {"times": (times, 1, 1), "batches": (batches, 1, 1),
                "timed": (timed, 1, 1), "verdicts": (verdicts, 3, 3),
                "agreement": (agreement, 2, 3), "self": (self_ratios, 1, 1),
                "wall": (wall, 1, 1),
                "diff": (diff, 2, 2)}
    function, least, most = commands.get(command, (None, 0, -1))
    if not least <= len(rest) <= most:
        sys.stderr.write(__doc__)
        return 2
    function(*rest)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
