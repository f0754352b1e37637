"""The times of a problem's page, compared with the lines of its evaluation: a
table of each sample, and the samples that its times follow from, as a chart and
as numbers."""

import candidates
import figures
import honest
from honest import PROBLEMS
from reading import Compared, Page, us

WHOSE = ["candidate, call clock", "reference, call clock",
         "candidate, device clock", "reference, device clock"]
SERIES = [("small batches", "small_ns"), ("large batches", "large_ns"),
          ("one call", "one_call_ns"), ("alone", "alone_ns")]
# The numbers that are compared.
WHERE = (r"(?<=<h2>)[^<]*|<td data-v[^>]*>[^<]*|<dd>[^<]*|<g><title>[^<]*|"
         r"median, [^<]*")


def timings(line):
    """[(whose, timing)], those that there are."""
    device = [(line.get(of) or {}).get("timing") for of in
              ("device_timing", "reference_device_timing")]
    all_of_them = [line["timing"], line["reference_timing"], *device]
    return [(w, t) for w, t in zip(WHOSE, all_of_them) if t]


def check_table(c, page, line):
    there = timings(line)
    table = f"times-{line['sample_id']}"
    rows = [r for _, r in page.rows(table)] if table in page.tables else []
    c.text(f"{table}: rows", [r["whose"]["text"] for r in rows],
           [whose for whose, _ in there])
    for r, (whose, t) in zip(rows, there):
        where = f"{table}, {whose}"
        c.number(where, r["time_ns"], t["time_ns"], us)
        c.interval(where, r["interval"], t["low_ns"], t["high_ns"], us)
        c.text(where, r["basis"]["text"], t["basis"])
        c.number(where, r["trials"], len(t["large_ns"]), str)
        c.number(where, r["n_small"], t["n_small"], str)
        c.number(where, r["n_large"], t["n_large"], str)
        c.text(where, r["stop_reason"]["text"], t["stop_reason"])


def strip(t, beside):
    """The samples of a time, in their order in a strip."""
    if t["basis"] in ("slope", "one_call"):
        return sorted(candidates.samples_of(t, beside))
    slopes = honest.slopes(t)
    return sorted(s + t["time_ns"] - honest.median(slopes) for s in slopes)


def check_samples(c, text, line):
    """The chart of the samples, by the axis that it has."""
    there = [(i, whose, t) for i, (whose, t) in enumerate(timings(line))
             if t["time_ns"]]
    if not there:
        return
    chart = figures.Chart(figures.chart_of(
        text, f"times-{line['sample_id']}-samples"))
    c.text("names", [t.text for t in chart.root.findall("text[@class='row']")],
           [whose for _, whose, _ in there])
    marks, medians = chart.marks(), chart.paths("axis")[1:]
    for row, (i, whose, t) in enumerate(there):
        beside = timings(line)[i + 1][1] if "candidate" in whose else None
        samples = strip(t, beside)
        mine, marks = marks[:len(samples)], marks[len(samples):]
        c.text(whose, [m.find("title").text for m in mine],
               [f"{us(s)} us" for s in samples])
        y = 4 + 40 * (row + 0.5)
        for k, (m, s) in enumerate(zip(mine, samples)):
            if m.find("path") is None:      # of a triangle no middle is known
                chart.places(whose, [figures.centre(m)],
                             [(chart.x.at(s / 1e3), y + 7 * (k % 3 - 1))])
        chart.places(whose, figures.corners(medians[row].get("d")),
                     [(chart.x.at(t["time_ns"] / 1e3), y + d)
                      for d in (-15, 15)])
        c.text(whose, medians[row].find("title").text,
               f"median, {us(t['time_ns'])} us")
    c.text("no more marks", marks, [])
    c += chart


def check_errors(c, page, line):
    table = f"errors-{line['sample_id']}"
    rows = [r for _, r in page.rows(table)] if table in page.tables else []
    outputs = line["outputs"] or []
    c.text(f"{table}: rows", len(rows), len(outputs))
    for i, (r, o) in enumerate(zip(rows, outputs)):
        c.number(table, r["output"], i, str)
        for of in ("elements", "mismatched", "nan"):
            c.number(f"{table} {of}", r[of], o[of], str)
        own = line["fp64_reference_error"]["outputs"][i]["rms_error"]
        for of, error in ((of, own if of == "fp64_error" else o[of]) for of in
                          ("max_abs_error", "max_rel_error", "rms_error",
                           "fp64_error")):
            known = of != "rms_error" or not o["nan"]
            c.error(f"{table} {of}", r[of], error if known else None)


def series_of(page):
    """[(sample's head, whose, series, numbers)]"""
    head = whose = name = None
    found = []
    for tag, text in page.texts:
        if tag == "h2":
            head = text
        elif tag == "summary":
            whose = text
        elif tag == "dt":
            name = text
        elif whose and whose.startswith("Samples: "):
            found.append((head.split(":")[0], whose, name, text))
    return found


def large(number):
    """In full, and with three digits."""
    letter, unit = next((x, u) for x, u in (("G", 1e9), ("M", 1e6), ("k", 1e3))
                        if number >= u)
    return f"{number} ({number / unit:.3g}{letter})"


def check_problem(text, key, lines, speedups):
    """Of the lines of `key`; `speedups` has the texts of the samples that are
    judged."""
    c = Compared()
    page = Page(text)
    heads = [text for tag, text in page.texts
             if tag == "h2" and text.startswith("Sample")]
    c.text("heads", heads, [
        f"Sample {x['sample_id']}: {x['status']}" +
        speedups.get(x["sample_id"], "") for x in lines])
    facts = dict(zip(*([text for tag, text in page.texts if tag == of]
                       for of in ("dt", "dd"))))
    known = PROBLEMS[key][1]
    c.text("operations", facts["operations of a call"], large(known["flops"]))
    c.text("bytes", facts["bytes of a call at least, in fp32"],
           large(known["bytes_min"]["fp32"]))
    for line in lines:
        check_table(c, page, line)
        check_errors(c, page, line)
        check_samples(c, text, line)
    c.text("samples", series_of(page), [
        (f"Sample {line['sample_id']}", f"Samples: {whose}, ns", name,
         ", ".join(map(str, t[of])))
        for line in lines for whose, t in timings(line)
        for name, of in SERIES if t[of]])
    return c
