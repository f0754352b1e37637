"""The tables of a ranking of a leaderboard, compared with its scores."""

import figures
from reading import Compared, Page, count_text, ratio


def check_ranks(text, table, numbers):
    """Of scores' metrics: neither of the two is certainly ahead."""
    c = Compared()
    for (_, row), m in zip(Page(text).rows(table), numbers, strict=True):
        n, fast = m["problems"], {f["p_milli"]: f for f in m["fast"]}
        c.number("rank", row["rank"], 1, lambda first: f"{first} to 2")
        if "ranking" in row:
            c.number("ranking", row["ranking"], 1, str)
        c.number("problems", row["problems"], n, str)
        for of, k in (("correct", m["correct"]),
                      ("fast_1", fast[1000]["count"]),
                      ("fast_2", fast[2000]["count"])):
            c.number(of, row[of], k, lambda k, n=n: count_text(k, n))
        certain = fast[1000]["certain"]
        c.interval("fast_1", row["fast_1_interval"], certain,
                   certain + fast[1000]["undecided"], str)
        c.number("geomean", row["geomean_speedup_micro"],
                 m["geomean_speedup_micro"], ratio)
        c.interval("geomean", row["geomean_interval"],
                   m["geomean_low_micro"], m["geomean_high_micro"], ratio)
    return c


def check_heat(text, scores):
    """Speedups by problem and score, or the letters of what has none."""
    c = Compared()
    table, = Page(text).tables.values()
    heads, *rows = [cells for _, cells in table["rows"]]
    c.text("heads", [cell["text"] for cell in heads],
           ["problem"] + ["model-1"] * len(scores))
    c.text("problems", [cells[0]["text"] for cells in rows],
           [x["key"] for x in scores[0]])
    for cells, *lines in zip(rows, *scores):
        for cell, x in zip(cells[1:], lines, strict=True):
            micro, low, high = figures.reach(x)
            is_undecided = bool(micro) and low <= 10 ** 6 < high
            c.text(x["key"], (cell["attrs"]["data-v"], cell["text"]),
                   (str(micro), ratio(micro)) if micro else
                   ("", figures.CLASSES[x["status"]][0]))
            c.text(x["key"], cell["attrs"].get("title"),
                   None if micro else x["status"])
            c.text(x["key"], cell["attrs"]["class"].endswith(" u"),
                   is_undecided)
    return c


def check_costs(text, records):
    """The table of what candidates took."""
    c = Compared()
    rows = [row for _, row in Page(text).rows("costs-1")]
    c.text("rows", len(rows), len(records))
    for row, record in zip(rows, records):
        spent = record["spent"]
        c.number("fast_1", row["fast_1"],
                 record["overall"]["fast"][3]["count"], str)
        for of in ("output_tokens", "input_tokens"):
            c.number(of, row[of], spent[of], str)
        micro = (spent["cost_nano"] + 500) // 1000
        c.text("cost", row["cost"]["text"], f"{micro // 10 ** 6}."
               f"{micro % 10 ** 6:06} {spent['currency']}")
    return c
