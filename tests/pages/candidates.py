"""The rows of a run's candidates: all of them, the slowest, and those that are
to be looked at; compared with a score and its evaluation."""

import math

import conditions
import figures
import honest
from reading import Compared, Page, ratio, rounded, us


def greatest(outputs, member):
    return max((float(o[member]) for o in outputs), default=None)


def stated_ns(facts):
    """What a problem takes at the H200's rates, which may be 5 % and 12.5 %
    above the data sheet's; what two L2 caches of 60 MiB hold is free."""
    paid = max(facts["bytes_min"]["fp32"] - 2 * (60 << 20), 0)
    return max(paid * 1000 * 100 // (figures.SHEET_MB * 105),
               facts["flops"] * 1000 // (figures.SHEET_GOP * 1125))


def bound_of(line):
    return (stated_ns(honest.PROBLEMS[line["key"]][1])
            if line["clock"] == "device" else None)


def drift_of(line):
    if not line["reference_ns"] or not line["baseline_ns"]:
        return None
    return rounded(line["reference_ns"], line["baseline_ns"])


def unjudged(r, like):
    """A result as a line with the members, and by the clock, of another."""
    by_device = (r.get("device_timing") or {}).get("timing")
    t = like["clock"] == "device" and by_device or r["timing"]
    assert not t or t["basis"] == "slope"
    low, high = t and honest.interval(honest.slopes(t), 0.975) or (None, None)
    return dict(dict.fromkeys(like), **{
        of: r[of] for of in ("key", "level", "problem_id", "sample_id",
                             "status")},
        clock=like["clock"], candidate_ns=t and t["time_ns"],
        candidate_low_ns=low, candidate_high_ns=high)


def all_lines(score, evaluation):
    """[(line, result, is judged)]: the lines of a score, and one of each sample
    that it does not judge, with nothing beside it."""
    lines = score.lines(honest.SCORES)
    results = {(r["key"], r["sample_id"]): r for r in evaluation.lines()}
    judged = {(x["key"], x["sample_id"]) for x in lines}
    others = [unjudged(r, lines[0]) for k, r in sorted(results.items())
              if k not in judged]
    return sorted(((x, results.get(of := (x["key"], x["sample_id"]), {}),
                    of in judged) for x in lines + others),
                  key=lambda line: (line[0]["level"], line[0]["problem_id"],
                                    line[0]["sample_id"]))


def check_row(c, row, line, of_result):
    where = line["key"]
    c.text(where, row["key"]["text"], line["key"])
    c.text(where, row["status"]["text"], line["status"])
    c.text(where, row["name"]["text"], honest.PROBLEMS[line["key"]][0])
    c.number(where, row["level"], line["level"], str)
    c.number(where, row["sample_id"], line["sample_id"], str)
    c.number(f"{where} bound", row["stated_ns"], bound_of(line), us)
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


def check_rows(text, id, score, evaluation):
    c, page = Compared(), Page(text)
    c.text("links", [attrs["href"] for tag, attrs in page.elements
                     if tag == "a"],
           [figures.problem_page(id, row["key"]["text"])
            for _, row in page.rows("rows")])
    lines, rows = all_lines(score, evaluation), page.rows("rows")
    c.text("rows", ["data-judged" in attrs for attrs, _ in rows],
           [is_judged for _, _, is_judged in lines])
    for (_, row), (line, of_result, _) in zip(rows, lines):
        check_row(c, row, line, of_result)
    return c


def check_slowest(text, score):
    """The slowest beside the baseline first."""
    c = Compared()
    slow = sorted(((figures.reach(x), x) for x in score.lines(honest.SCORES)
                   if x["speedup_micro"] and x["speedup_micro"] < 10 ** 6),
                  key=lambda item: item[0])
    rows = [row for _, row in Page(text).rows("slowest")]
    c.text("slowest", [row["key"]["text"] for row in rows],
           [x["key"] for _, x in slow])
    for row, ((micro, low, high), x) in zip(rows, slow):
        c.text(x["key"], row["name"]["text"], honest.PROBLEMS[x["key"]][0])
        c.number(x["key"], row["candidate_ns"], x["candidate_ns"], us)
        c.number(x["key"], row["speedup_micro"], micro, ratio)
        c.interval(x["key"], row["speedup"], low,
                   None if high == math.inf else high, ratio)
    return c


def check_suspicious(text, score, evaluation):
    return conditions.check_remarks(text, [
        (line, of_result, bound_of(line), drift_of(line))
        for line, of_result, _ in all_lines(score, evaluation)])
