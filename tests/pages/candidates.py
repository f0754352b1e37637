"""The rows of a run's candidates: all of them, and those that are to be looked at; compared with a score and its evaluation."""

import math

import conditions
import figures
import honest
from reading import Compared, Page, percent, ratio, rounded, us


def greatest(outputs, member):
    """Of elements that could not be compared no error is known."""
    if any(o.get("nan") for o in outputs):
        return None
    return max((float(o[member]) for o in outputs), default=None)


def stated_ns(facts):
    """What a problem takes at the H200's rates, which may be 5 % and 12.5 %
    above the data sheet's; what two L2 caches of 60 MiB hold is free."""
    paid = max(facts["bytes_min"]["fp32"] - 2 * (60 << 20), 0)
    return max(paid * 1000 * 100 // (figures.SHEET_MB * 105),
               facts["flops"] * 1000 // (figures.SHEET_GOP * 1125))


def clock_of(of_result):
    """The highest that was sampled beside a time by the device's clock."""
    t = of_result.get("device_timing")
    return t and t["telemetry"]["sm_clock_mhz_max"]


def clocked_bound_of(line, mhz):
    """The same at that clock: bytes as they are, and operations as the 132 SMs
    do 8192 of them in each cycle."""
    if line["clock"] != "device" or not mhz:
        return bound_of(line)
    facts = honest.PROBLEMS[line["key"]][1]
    paid = max(facts["bytes_min"]["fp32"] - 2 * (60 << 20), 0)
    return max(paid * 1000 * 100 // (figures.SHEET_MB * 105),
               facts["flops"] * 1000 // (132 * 8192 * mhz))


def bound_of(line):
    return (stated_ns(honest.PROBLEMS[line["key"]][1])
            if line["clock"] == "device" else None)


def drift_of(line):
    if not line["reference_ns"] or not line["baseline_ns"]:
        return None
    return rounded(line["reference_ns"], line["baseline_ns"])


# --- lines -------------------------------------------------------------------

# What a line of a score has.
MEMBERS = ("candidate_ns", "candidate_low_ns", "candidate_high_ns",
           "baseline_ns", "baseline_low_ns", "baseline_high_ns",
           "speedup_micro", "noise_micro", "reference_ns")


def line_of(r, clock):
    """That of a result of which nothing has been said yet."""
    return {**dict.fromkeys(MEMBERS), "clock": clock, "sample_id": 0, **{
        of: r[of] for of in ("key", "level", "problem_id", "sample_id",
                             "status") if of in r}}


def timing_by(clock, call, device):
    return (device or {}).get("timing") if clock == "device" else call


def samples_of(t, beside):
    """Those that a time is the median of; none if something else decided."""
    if not t or t["basis"] == "slope":
        return honest.slopes(t) if t else []
    if t["basis"] != "one_call":
        return []
    bounds = honest.bounds(t, beside)
    more = honest.slack(t, honest.median(bounds))
    return [b + more for b in bounds]


def time_of(whose, t, beside=None):
    """The time that a timing says, as members of a line."""
    samples = samples_of(t, beside)
    low, high = samples and honest.interval(samples, 0.975) or (None, None)
    return {f"{whose}_ns": t and t["time_ns"], f"{whose}_low_ns": low,
            f"{whose}_high_ns": high}


def noise_of(t):
    """The odd trials by the even ones."""
    if not t or len(t["small_ns"]) < 4:
        return None
    slopes = honest.slopes(t)
    return rounded(honest.median(slopes[::2]), honest.median(slopes[1::2]))


def candidate_of(r, clock):
    if not timing_by(clock, None, r.get("device_timing")):
        clock = "call"
    return time_of("candidate", *(timing_by(clock, r[of], r.get(by)) for of, by in (
        ("timing", "device_timing"),
        ("reference_timing", "reference_device_timing"))))


def by_key(lines):
    return sorted(lines, key=lambda line: (
        line[0]["level"], line[0]["problem_id"], line[0]["sample_id"]))


def of_score(score, evaluation):
    """[(line, result, is judged)]: the lines of a score, and one of each sample
    that it does not judge, with nothing beside it."""
    lines = score.lines(honest.SCORES)
    results = {(r["key"], r["sample_id"]): r for r in evaluation.lines()}
    judged = {(x["key"], x["sample_id"]) for x in lines}
    clock = lines[0]["clock"]
    others = [{**line_of(r, clock), **candidate_of(r, clock)}
              for k, r in results.items() if k not in judged]
    return by_key((x, results.get(of := (x["key"], x["sample_id"]), {}),
                   of in judged) for x in lines + others)


def of_evaluation(evaluation):
    """The same of what no score has judged: each beside its reference there,
    and the first of each problem as a score would take it."""
    results = evaluation.lines()
    clock = "device" if any(timing_by("device", None, r.get("device_timing"))
                            for r in results) else "call"
    lines, keys = [], set()
    for r in results:
        beside = timing_by(clock, r["reference_timing"],
                           r.get("reference_device_timing"))
        line = {**line_of(r, clock), **candidate_of(r, clock),
                **time_of("baseline", beside), "noise_micro": noise_of(beside)}
        if line["candidate_ns"] and line["baseline_ns"]:
            line["speedup_micro"] = rounded(line["baseline_ns"],
                                            line["candidate_ns"])
        lines.append((line, r, r["key"] not in keys))
        keys.add(r["key"])
    return by_key(lines)


def of_baseline(baseline):
    """The references alone, by the clock that there is for each."""
    results = baseline.lines()
    clock = "device" if any(timing_by("device", None, r.get("device_timing"))
                            for r in results) else "call"
    lines = []
    for r in results:
        t = timing_by(clock, None, r.get("device_timing")) or r["timing"]
        lines.append(({**line_of(r, clock), **time_of("candidate", t),
                       "noise_micro": noise_of(t)}, r, True))
    return by_key(lines)


# --- tables ------------------------------------------------------------------

def check_bound(c, row, line, mhz):
    where, bound = line["key"], clocked_bound_of(line, mhz)
    c.number(f"{where} bound", row["bound_ns"], bound, us)
    c.text(f"{where} bound's clock",
           (row["bound_mhz"]["attrs"]["data-v"], row["bound_mhz"]["text"]),
           (str(mhz or ""), f"{mhz} MHz" if mhz else "data sheet")
           if bound else ("", "-"))
    c.number(f"{where} share", row["of_bound"],
             rounded(bound, line["candidate_ns"])
             if bound and line["candidate_ns"] else None,
             lambda ppm: percent(ppm, 10 ** 6))


def check_row(c, row, line, of_result):
    where = line["key"]
    c.text(where, row["key"]["text"], line["key"])
    c.text(where, row["again"][0], line["key"])
    c.number(where, row["again"][1], line["sample_id"], str)
    c.text(where, row["status"]["text"], line["status"])
    c.text(where, row["name"]["text"], honest.PROBLEMS[line["key"]][0])
    c.number(where, row["level"], line["level"], str)
    c.number(where, row["sample_id"], line["sample_id"], str)
    check_bound(c, row, line, clock_of(of_result))
    micro, low, high = figures.reach(line)
    c.interval(f"{where} speedup", row["speedup"], micro and low,
               None if micro is None or high == math.inf else high, ratio)
    for member, text in (("candidate_ns", us), ("baseline_ns", us),
                         ("speedup_micro", ratio), ("noise_micro", ratio)):
        c.number(f"{where} {member}", row[member], line[member], text)
    c.number(f"{where} drift", row["drift_micro"], drift_of(line), ratio)
    c.interval(f"{where} interval", row["candidate"],
               line["candidate_low_ns"], line["candidate_high_ns"], us)
    error = greatest(of_result.get("outputs") or [], "rms_error")
    c.error(f"{where} error", row["rms_error"], error)
    own = of_result.get("fp64_reference_error")
    c.error(f"{where} reference's error", row["fp64_error"],
            greatest(own["outputs"], "rms_error") if own else None)


def rows_of(page):
    """The rows of both tables, which have the same in the same order: their
    cells together, and the names of the second as "again"."""
    return [(attrs, {**more, **row, "again": (
        more["key"]["text"], more["sample_id"])}) for
            (attrs, row), (_, more) in zip(page.rows("rows"),
                                           page.rows("rows-more"))]


def check_rows(text, id, lines):
    """`id` is that of the bundle, if each problem has a page."""
    c, page = Compared(), Page(text)
    c.text("links", [attrs["href"] for tag, attrs in page.elements
                     if tag == "a"],
           [figures.problem_page(id, row["key"]["text"])
            for _, row in page.rows("rows")] if id else [])
    rows = rows_of(page)
    c.text("as many rows", len(page.rows("rows-more")), len(lines))
    c.text("rows", ["data-judged" in attrs for attrs, _ in rows],
           [is_judged for _, _, is_judged in lines])
    for (_, row), (line, of_result, _) in zip(rows, lines):
        check_row(c, row, line, of_result)
    return c


def check_suspicious(text, lines):
    return conditions.check_remarks(text, [
        (line, of_result, bound_of(line), drift_of(line))
        for line, of_result, _ in lines])
