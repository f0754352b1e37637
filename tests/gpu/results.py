"""What tests/gpu reads out of bundles, and out of the machine.

    results.py gpu
    results.py census DEVICE
    results.py times BUNDLE
    results.py batches BUNDLE
    results.py timed BUNDLE
    results.py verdicts TABLE SUITE BUNDLE
    results.py agreement BUNDLE LIMIT_PPM [ALONE]
    results.py self BUNDLE...
    results.py twins BUNDLE...
    results.py wall BUNDLE
    results.py pools BUNDLE MIB [KEY[:SAMPLE[:reference]]]...
    results.py stamp FILE
    results.py cost BUNDLE STAMPS LIMITS
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
import time

# What an attack may gain, as a fraction of its twin's time, and at least: a table
# of limits beside the table of verdicts may allow more.
GAIN_MAX = 0.02
GAIN_MIN_NS = 1000
# A call by the host's clock that is shorter, of a kernel with a device time, is mostly
# launch: two processes with the same code differ by a microsecond, and no score has it.
CALL_MIN_NS = 10000
SELF_MEDIAN_MAX = 0.0015
EVENTS_MIN_NS = 5000
SELF_MAX = 0.01
TWIN_MAX = 0.01
REPEAT_MEDIAN_MAX = 0.003


# --- bundles -------------------------------------------------------------


def lines_of(bundle):
    with open(os.path.join(bundle, "data", "results.jsonl")) as f:
        return [json.loads(line) for line in f]


def is_baseline(line):
    return "mode" in line


def device_of(line, whose=""):
    return line.get(whose + "device_timing") or {}


def timing_of(line, clock, whose=""):
    if clock == "device":
        return device_of(line, whose).get("timing") or {}
    return line.get(whose + "timing") or {}


def device_ns(line, whose=""):
    return timing_of(line, "device", whose).get("time_ns")


def call_ns(line, whose=""):
    return timing_of(line, "call", whose).get("time_ns")


def time_of(line, whose=""):
    """The device's time, where there is one, and which clock it is of."""
    ns = device_ns(line, whose)
    return (ns, "device") if ns else (call_ns(line, whose), "call")


def basis_of(line, clock="device"):
    """What decided, of a candidate or a baseline's mode."""
    timing = timing_of(line, clock)
    if clock == "device" and device_of(line).get("not_queueable"):
        return "not queueable"
    return timing.get("basis") if timing.get("time_ns") else None


def slope_ns(line, whose=""):
    """By the batches alone, whatever decides in the end."""
    timing = timing_of(line, "device", whose)
    small, large = (timing.get(name) or [] for name in ("small_ns", "large_ns"))
    if not small or not large:
        return None
    calls = timing["n_large"] - timing["n_small"]
    return statistics.median((b - a) / calls for a, b in zip(small, large))


def speedup_of(line):
    """As kb-score has it: over the reference beside it, by the device's clock
    if the reference has that."""
    reference, _ = time_of(line, "reference_")
    return ratio_of(reference, time_of(line)[0])


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


def census(index):
    """Processes on the device with this number, or -1, and MiB of its memory
    that somebody has."""
    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return None
    device, memory = ctypes.c_void_p(), Memory()
    count = ctypes.c_uint(0)
    if nvml.nvmlInit_v2() or nvml.nvmlDeviceGetHandleByIndex_v2(
            index, ctypes.byref(device)):
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
    rows = [("", "status", "device us", "95 %", "basis", "stopped by", "runs",
             "call us", "reference us", "drift", "speedup")]
    for line in lines_of(bundle):
        timing = timing_of(line, "device")
        interval = "-"
        if timing.get("low_ns"):
            interval = "%s-%s" % (us(timing["low_ns"]), us(timing["high_ns"]))
        reference, _ = time_of(line, "reference_")
        beside = device_of(line, "reference_")
        drift = ratio_of(beside.get("control_after_ns"),
                         beside.get("control_before_ns"))
        speedup = speedup_of(line)
        runs = [len(timing.get(name) or [])
                for name in ("small_ns", "large_ns", "one_call_ns")]
        rows.append((name_of(line), line["status"], us(timing.get("time_ns")),
                     interval, basis_of(line) or "-",
                     timing.get("stop_reason") or "-", "+".join(map(str, runs)),
                     us(call_ns(line)), us(reference), percent(drift),
                     "%.4f" % speedup if speedup else "-"))
    table(rows)


def batches(bundle):
    for line in lines_of(bundle):
        timing = timing_of(line, "device",
                           "" if is_baseline(line) else "reference_")
        if timing.get("n_large"):
            print(line["key"], timing["n_small"], timing["n_large"])


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


def read_limits(path, suite):
    """{key: ns}, or None if there is no such table."""
    try:
        with open(path) as f:
            rows = [text.split() for text in f if not text.startswith("#")]
    except FileNotFoundError:
        return None
    return {key: float(limit) * 1e3 for name, key, limit in rows
            if name == suite}


def gains(line, twin):
    """(clock, ns gained, of how many): by either clock, and by the speedup in
    the same evaluation, which is more if the reference was made dear."""
    found = []
    is_launch = (device_ns(line) and device_ns(twin)
                 and (call_ns(twin) or 0) < CALL_MIN_NS)
    for clock, ns in (("device", device_ns), ("call", call_ns)):
        if ns(line) and ns(twin) and not (clock == "call" and is_launch):
            found.append((clock, ns(twin) - ns(line), ns(twin)))
    mine, other, of = speedup_of(line), speedup_of(twin), time_of(twin)[0]
    if mine and other:
        found.append(("speedup", of * (1 - other / mine), of))
    return found


def excess(gain, limit_ns):
    clock, ns, of = gain
    return ns > max(GAIN_MAX * of, limit_ns)


def armed_times(line):
    times = re.findall(r"^attack: armed (\d+)$", line.get("log") or "", re.M)
    return max(map(int, times), default=0)


def wanted_calls(line):
    """Which system calls honest code was refused, as a reason, or None."""
    refused = re.search(r"\[system calls refused: ([^]]*)\]",
                        line.get("log") or "")
    return refused and "refused " + refused.group(1)


def judge(line, twin, verdict, limit_ns):
    """Why it is not as it should be, or None."""
    if line["status"] != "correct":
        if line["status"] in verdict:
            return None
        return line["status"]
    if not time_of(line)[0]:
        return "no time"
    if "legal" in verdict:
        return wanted_calls(line)
    if not {"no-gain", "no-speedup", "same"} & set(verdict):
        return "correct"
    if twin is None or not time_of(twin)[0]:
        return "its twin has no time"
    for gain in gains(line, twin):
        clock, ns, of = gain
        if "no-speedup" in verdict and clock != "speedup":
            continue
        if excess(gain, limit_ns):
            return "gains %s us of %s by %s" % (us(ns), us(of), clock)
        if "same" in verdict and excess((clock, -ns, of), limit_ns):
            return "loses %s us of %s by %s" % (us(-ns), us(of), clock)
    return None


def unsaid(line, verdict):
    """What its log must say, by its verdict, and does not; or None."""
    for word in verdict:
        name, _, text = word.partition("=")
        if name == "says" and text not in (line.get("log") or ""):
            return "%s, but its log does not say '%s'" % (line["status"], text)
    return None


def missing(line, verdict):
    """A module or variable of the environment that it needs, by its verdict, and
    says is not there; or None."""
    log = line.get("log") or ""
    for word in verdict:
        name, _, needed = word.partition("=")
        if name == "needs" and ("No module named '%s'" % needed in log
                                or "KeyError: '%s'" % needed in log):
            return needed
    return None


def gain_cells(line, twin):
    found = dict((clock, "%.2f (%+.1f%%)" % (ns / 1e3, ns / of * 100))
                 for clock, ns, of in (gains(line, twin) if twin else []))
    return [found.get(clock, "-") for clock in ("device", "call", "speedup")]


def verdicts(path, suite, bundle):
    expected = read_table(path, suite)
    limits = read_limits(os.path.join(os.path.dirname(path), "limits"), suite)
    lines = {(line["key"], line["sample_id"]): line
             for line in lines_of(bundle) if line["status"] != "missing"}
    rows = [("", "file", "status", "armed", "device us", "basis", "gain",
             "call us", "basis", "gain", "by speedup", "expected")]
    verdict_lines = []
    for where, line in sorted(lines.items(),
                              key=lambda item: (item[1]["level"],
                                                item[1]["problem_id"],
                                                item[0][1])):
        file, twin_id, verdict = expected[where]
        twin = lines.get((where[0], int(twin_id))) if twin_id != "-" else None
        armed = armed_times(line)
        device, call, speedup = gain_cells(line, twin)
        rows.append((name_of(line), file, line["status"], armed or "-",
                     us(device_ns(line)), basis_of(line) or "-", device,
                     us(call_ns(line)), basis_of(line, "call") or "-", call,
                     speedup, ",".join(verdict)))
        why = judge(line, twin, verdict,
                    (limits or {}).get(where[0], GAIN_MIN_NS))
        if (not why and limits is not None and not armed
                and not {"legal", "same", "always"} & set(verdict)):
            why = "%s, but its trick was never in force" % line["status"]
        why = why or unsaid(line, verdict)
        if missing(line, verdict):
            verdict_lines.append((True, "%s %s # SKIP no %s" % (
                where[0], file, missing(line, verdict))))
            continue
        verdict_lines.append((not why, "%s %s: %s" % (
            where[0], file, why or line["status"])))
        if why and not time_of(line)[0]:
            verdict_lines[-1] += ((line.get("detail") or "")
                                  + "\n" + line["log"],)
    table(rows)
    for good, text, *why in verdict_lines:
        for part in why:
            print("\n".join("# " + row for row in part.splitlines()[-20:]))
        result(good, text)


def event_slopes(line):
    """What the candidate's own events say of the batches that were timed:
    the last that it saw of the two sizes."""
    timing = timing_of(line, "device")
    seen = re.findall(r"^events (\d+) (\d+)$", line["log"], re.M)
    if not timing.get("n_large"):
        return []
    small, large = ([int(ns) for n, ns in seen if int(n) == timing[size]]
                    for size in ("n_small", "n_large"))
    pairs = min(len(small), len(large), len(timing.get("small_ns") or []))
    calls = timing["n_large"] - timing["n_small"]
    return [(b - a) / calls for a, b in zip(small[len(small) - pairs:],
                                            large[len(large) - pairs:])]


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
        key, own = line["key"], slope_ns(line)
        plain = slope_ns(line, "reference_")
        slopes = event_slopes(line)
        events = statistics.median(slopes) if slopes else None
        inside = ratio_of(own, events)
        outside = ratio_of(plain, alone.get(key))
        rows.append((key, us(own), us(events), percent(inside), len(slopes),
                     us(plain), us(alone.get(key)), percent(outside)))
        if events and events < EVENTS_MIN_NS and own:
            print("# %s: %+.0f ns beside events, too short for a limit" % (
                key, own - events))
            continue
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


def self_ratios(*bundles):
    ratios = []
    for bundle in bundles:
        times(bundle)
    for line in (line for bundle in bundles for line in lines_of(bundle)):
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
           "%d problems, |speedup - 1|: median %.3f %%" % (len(ratios),
                                                           median * 100))
    result(worst <= SELF_MAX, "the largest, of %s: %.3f %%" % (key,
                                                               worst * 100))


def twins(*bundles):
    """Files that were given twice, as samples 2k and 2k + 1."""
    lines = {(bundle, line["key"], line["sample_id"]): line
             for bundle in bundles for line in lines_of(bundle)
             if line["status"] != "missing"}
    rows = [("", "status", "us", "again", "difference", "basis", "again",
             "us by slope", "reference us", "moved by")]
    apart, decided, moved, odd = [], 0, [], []
    for (bundle, key, sample), one in sorted(lines.items()):
        other = lines.get((bundle, key, sample + 1))
        if sample % 2 or not other:
            continue
        (a, clock), (b, other_clock) = time_of(one), time_of(other)
        bases = [basis_of(line, clock) for line in (one, other)]
        slope = slope_ns(one) if clock == "device" else None
        if a and b and clock == other_clock:
            apart.append((abs(b / a - 1), name_of(one)))
        for line in (one, other):
            ns, by = time_of(line)
            if ns and by == "device" and slope_ns(line):
                moved.append((abs(ns / slope_ns(line) - 1), name_of(line)))
        decided += bases == ["one_call"] * 2
        if bases.count("one_call") == 1:
            odd.append(name_of(one))
        rows.append((name_of(one), one["status"], us(a), us(b),
                     percent(ratio_of(b, a)), *(text or "-" for text in bases),
                     us(slope), us(time_of(one, "reference_")[0]),
                     percent(ratio_of(a, slope))))
        result(one["status"] == other["status"] == "correct"
               and bool(a and b), "%s: %s" % (name_of(one), one["status"]))
    table(rows)
    if not apart:
        result(False, "no twins at all")
        return
    print("# %d times of %d pairs by the device's clock; the bound decides for %d; twins "
          "are %.3f %% apart (median)" % (
              len(moved), len(apart), decided,
              statistics.median(d for d, _ in apart) * 100))
    result(not odd, "the bound decides for both of two twins or none: %s"
           % (", ".join(odd) or "all"))
    for what, found in (("twins are apart by", apart),
                        ("the bound moves a time by", moved)):
        if found:
            worst, name = max(found)
            result(worst <= TWIN_MAX, "%s %.3f %% at most, %s" % (
                what, worst * 100, name))


def wall(bundle):
    rows = [("", "status", "seconds")]
    for line in lines_of(bundle):
        rows.append((name_of(line), line["status"],
                     "%.1f" % (line["wall_ns"] / 1e9)))
    table(rows)


def stamp(path):
    """What is appended to the file, each line behind the time when it was
    seen; until we are killed."""
    read = 0
    while True:
        if os.path.exists(path):
            with open(path) as f:
                f.seek(read)
                for line in iter(f.readline, ""):
                    if line.endswith("\n"):
                        print(time.monotonic_ns(), line, end="", flush=True)
                        read = f.tell()
        time.sleep(0.005)


def cost(bundle, stamps, limits):
    """From the end of loading, which candidates print, to the result."""
    most = dict(item.split("=") for item in limits.split(","))
    ended = {}
    with open(stamps) as f:
        for text in f:
            ns, event = text.split(" ", 1)
            event = json.loads(event)
            event = event.get("result") or event
            ended[event.get("key"), event.get("sample_id")] = int(ns)
    rows = [("", "status", "seconds from loading", "at most", "in all", "runs",
             "device us")]
    verdict_lines = []
    for line in lines_of(bundle):
        if line["status"] == "missing":
            continue
        loaded = re.search(r"^loaded at (\d+)$", line["log"], re.M)
        end = ended.get((line["key"], line["sample_id"]))
        seconds = (end - int(loaded[1])) / 1e9 if loaded and end else None
        timing = timing_of(line, "device")
        runs = sum(len(timing.get(name) or [])
                   for name in ("small_ns", "large_ns", "one_call_ns"))
        limit = most.get(line["key"])
        rows.append((name_of(line), line["status"],
                     "-" if seconds is None else "%.2f" % seconds, limit or "-",
                     "%.1f" % (line["wall_ns"] / 1e9), runs,
                     us(device_ns(line))))
        verdict_lines.append((seconds is not None and (
            not limit or seconds <= float(limit)), "%s: %s, %s s" % (
                name_of(line), line["status"],
                "-" if seconds is None else "%.2f" % seconds)))
    table(rows)
    for good, text in verdict_lines:
        result(good, text)


def larger_pools(lines, mib):
    """Whose output pool had more, and how many MiB."""
    larger = {}
    for line in lines:
        name = line["key"]
        if not is_baseline(line):
            name += ":%d" % line["sample_id"]
        for member, whose in (("output_pool_bytes", ""),
                              ("reference_output_pool_bytes", ":reference")):
            if line.get(member, 0) > mib << 20:
                larger[name + whose] = line[member] >> 20
    return larger


def pools(bundle, mib, *expected):
    """These and no others had more than what was asked for."""
    larger = larger_pools(lines_of(bundle), int(mib))
    table([("pool of", "MiB")] + sorted(larger.items()))
    result(set(larger) == set(expected),
           "pools that grew: %s" % (" ".join(sorted(larger)) or "none"))


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
    result(median <= REPEAT_MEDIAN_MAX,
           "median difference %.3f %%" % (median * 100))


def main(arguments):
    command, *rest = arguments or [""]
    if command == "gpu" and not rest:
        found, text = find_gpu()
        print(text)
        return 0 if found else 1
    if command == "census" and len(rest) == 1:
        now = census(int(rest[0]))
        print("%d %d" % now if now else "unknown")
        return 0
    if command == "stamp" and len(rest) == 1:
        stamp(*rest)
    commands = {"times": (times, 1, 1), "batches": (batches, 1, 1),
                "timed": (timed, 1, 1), "verdicts": (verdicts, 3, 3),
                "agreement": (agreement, 2, 3), "self": (self_ratios, 1, 64),
                "twins": (twins, 1, 64), "cost": (cost, 3, 3),
                "wall": (wall, 1, 1), "pools": (pools, 2, 64),
                "diff": (diff, 2, 2)}
    function, least, most = commands.get(command, (None, 0, -1))
    if not least <= len(rest) <= most:
        sys.stderr.write(__doc__)
        return 2
    function(*rest)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
