"""What a run's page says of the run: the ids of its bundles, and the conditions
as the record has them; and which rows it lists as to be looked at."""

import json
import re

import figures
from reading import Compared, Page, us, ratio

# The numbers that are compared.
WHERE = r"<dd>[^<]*"
SECTIONS = [("Environment", "environment"), ("Policy", "policy"),
            ("Options", "options"), ("Match key", "match_key")]
REMARKS_WHERE = r'<td data-v[^>]*>[^<]*|(?<=html">)[^<]*|"words">[^<]*'

# Of pages/remarks.h and pages/run_tables.h.
SPEEDUP, ERROR, RATIO_PPM, INTERVAL, LISTED_MAX = 10, 100, 50000, 2, 10
CONDUCT = ("inputs_modified", "guard_damaged", "protocol_violation")


# --- facts -------------------------------------------------------------------

def value(v):
    return v if isinstance(v, str) else json.dumps(
        v, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def members(section):
    """[(name, text)] of a section: what has members has a line for each."""
    for name, v in sorted(section.items()):
        if isinstance(v, dict):
            for member, x in sorted(v.items()):
                yield f"{name}.{member}", value(x)
        else:
            yield name, value(v)


def folded(page):
    """{summary: [(name, text)]}"""
    found, name = {}, None
    for tag, text in page.texts:
        if tag == "summary":
            facts = found.setdefault(text, [])
        elif tag == "dt":
            name = text
        elif tag == "dd" and found:
            facts.append((name, text))
    return found


def check_conditions(text, record):
    c = Compared()
    found = folded(Page(text))
    for summary, name in SECTIONS:
        c.text(summary, found.get(summary), list(members(record[name])))
    return c


def check_ids(text, ids):
    """[(kind, id)], in their order."""
    c = Compared()
    c.text("ids", re.findall('<dt>(.*?)</dt><dd><span class="id">(.*?)</span>',
                             text), ids)
    return c


# --- those to look at --------------------------------------------------------

def of_time(line, stated_ns):
    micro, took = line.get("speedup_micro"), line["candidate_ns"]
    if micro and micro > SPEEDUP * 10 ** 6:
        yield f"{ratio(micro)} the baseline"
    if took is not None and stated_ns is not None and took < stated_ns:
        yield (f"the problem as it is stated takes {us(stated_ns)} us at "
               "the device's peaks")


def of_error(result):
    own = (result.get("fp64_reference_error") or {}).get("outputs", [])
    error, own = (max((float(o["rms_error"]) for o in of), default=-1)
                  for of in (result.get("outputs") or [], own))
    if own > 0 and error > ERROR * own:
        yield f"error {error / own:.0f} times the reference's own"


def of_ratios(line, drift_micro):
    for name, micro in (("drift", drift_micro), ("noise", line["noise_micro"])):
        if micro is not None and abs(micro - 10 ** 6) > RATIO_PPM:
            yield f"{name} {ratio(micro)}"


def of_interval(line):
    if not line.get("speedup_micro"):
        return
    _, low, high = figures.reach(line)
    if not low or high == float("inf"):
        yield "no interval"
    elif high // low >= INTERVAL:
        yield "wide interval"


def of_conduct(line, result):
    if line["status"] in CONDUCT:
        yield line["status"]
    device, beside = (result.get(of) or {} for of in
                      ("device_timing", "reference_device_timing"))
    if device.get("not_queueable") and beside.get("timing"):
        yield "no time by the device's clock"


def remarks(line, result, stated_ns, drift_micro):
    return [*of_conduct(line, result), *of_time(line, stated_ns),
            *of_error(result), *of_ratios(line, drift_micro),
            *of_interval(line)]


def check_remarks(text, rows):
    """`rows` are (line, result, stated_ns, drift_micro) of each row of the page;
    the line of one that is not judged has no speedup."""
    c = Compared()
    want = [(line, words) for line, *more in rows
            if (words := remarks(line, *more))]
    want.sort(key=lambda x: (-len(x[1]), x[0]["level"], x[0]["problem_id"],
                             x[0]["sample_id"]))
    got = [row for _, row in Page(text).rows("remarks")]
    c.text("rows", [r["key"]["text"] for r in got],
           [line["key"] for line, _ in want[:LISTED_MAX]])
    for r, (line, words) in zip(got, want):
        c.text(line["key"], r["remarks"]["text"], "; ".join(words))
        c.text(line["key"], r["status"]["text"], line["status"])
        c.number(line["key"], r["candidate_ns"], line["candidate_ns"], us)
        micro = line.get("speedup_micro") or None
        c.number(line["key"], r["speedup_micro"], micro, ratio)
        _, low, high = figures.reach(line) if micro else (None,) * 3
        c.interval(line["key"], r["speedup"], low,
                   None if high == float("inf") else high, ratio)
    return c
