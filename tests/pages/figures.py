"""The charts of a page, compared with a score. A value is read back from where
its mark stands, by the axis that the chart has: through the first tick and the
last, between which all other ticks have to lie where they say.

Coordinates have one digit behind the point. A mark and both ticks of its axis
are off by half of that each, so a place may differ by 0.15."""

import math
import re
import xml.etree.ElementTree as ET

from reading import Compared, ratio, rounded

TOLERANCE = 0.15 + 1e-6
UNITS = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}
# The numbers that are compared: of marks and their titles, and of ticks.
WHERE = (r'(?m)^<(?:a|g|(?:path|circle|rect)[^>]*></g|'
         r'path class="(?:band|curve|roof|fp32)).*$|^.*>median<.*$|'
         r'(?<=>)[^<>]* TOP/s [^<>]*(?=</text>)|'
         r'(?<=\d">)[\d.]+(?=[%x]?[kMG]?</text>)|(?<=">)\d+/\d+[^<]*(?=</text>)')
NUMBER = r"-?\d+(?:\.\d+)?"


class Axis:
    """Of (coordinate, value): the places of values."""

    def __init__(self, ticks, is_log):
        self.is_log = is_log
        (self.x0, self.low), (self.x1, self.high) = ticks[0], ticks[-1]
        self.ends = self.low, self.high
        self.wrong = [(x, v) for x, v in ticks
                      if abs(self.at(v) - x) > TOLERANCE]

    def at(self, value):
        """That of the nearest end for what lies outside."""
        value = min(max(value, self.ends[0]), self.ends[1])
        share = ((value - self.low) / (self.high - self.low)
                 if not self.is_log else
                 math.log(value / self.low) / math.log(self.high / self.low))
        return self.x0 + share * (self.x1 - self.x0)


def corners(path):
    """Where a path of M, L, H, V and Z goes."""
    points = []
    for letter, rest in re.findall(r"([MLHVZ])([^MLHVZ]*)", path):
        n = [float(x) for x in re.findall(NUMBER, rest)]
        if letter in "ML":
            points.append((n[0], n[1]))
        elif letter == "H":
            points.append((n[0], points[-1][1]))
        elif letter == "V":
            points.append((points[-1][0], n[0]))
    return points


class Chart(Compared):
    """A chart, and what differs in it."""

    def __init__(self, text, is_log_x=False, is_log_y=False):
        super().__init__()
        self.root = ET.fromstring(text)
        self.x = self.axis("m", "x", 0, is_log_x)
        self.y = self.axis("e", "y", 4, is_log_y)

    def axis(self, name, coordinate, below, is_log):
        """Its ticks' texts stand `below` their places."""
        ticks = []
        for t in self.root.findall(f"text[@class='{name}']"):
            n, unit = re.fullmatch(f"({NUMBER})([kMG]?)[x%]?", t.text).groups()
            ticks.append((float(t.get(coordinate)) - below,
                          float(n) * UNITS[unit]))
        if len(ticks) < 2:
            return None
        axis = Axis(ticks, is_log)
        self.text(f"ticks of {coordinate}", axis.wrong, [])
        return axis

    def paths(self, name):
        return [p for p in self.root.iter("path")
                if (p.get("class") or "").split(" ")[0] == name]

    def marks(self):
        """The groups and links, each of which has a title and a mark."""
        return self.root.findall("g") + self.root.findall("a")

    def places(self, where, got, want):
        is_same = len(got) == len(want) and all(
            abs(a - b) <= TOLERANCE for p, q in zip(got, want)
            for a, b in zip(p, q))
        if not is_same:
            self.append(f"{where}: {got}, want {want}")


def chart_of(page, name):
    """Its text in that of a page."""
    return re.search(rf'<svg class="chart" id="{name}.*?</svg>', page,
                     re.S).group()


def centre(group):
    """Of the mark in a group."""
    mark = group.find("circle")
    if mark is not None:
        return float(mark.get("cx")), float(mark.get("cy"))
    mark = group.find("rect")
    return tuple(float(mark.get(of)) + float(mark.get(size)) / 2
                 for of, size in (("x", "width"), ("y", "height")))


# --- speedups ----------------------------------------------------------------

def reach(line):
    """A speedup with the least and the most that it may be by the intervals:
    0 and infinity where these have no such end."""
    low, high, least, most = (line[f"{whose}_{end}_ns"] for whose, end in (
        ("baseline", "low"), ("baseline", "high"),
        ("candidate", "low"), ("candidate", "high")))
    return (line["speedup_micro"],
            rounded(low, most) if low and most else 0,
            rounded(high, least) if high and least else math.inf)


def reaches(lines):
    """{key: reach}, from the fastest to the slowest."""
    found = {x["key"]: reach(x) for x in lines if x["status"] == "correct"
             and x["speedup_micro"] is not None}
    return dict(sorted(found.items(), key=lambda item: -item[1][0]))


def problem_page(score, key):
    return f"{score[:12]}-{key.replace('/', '-')}.html"


def check_link(c, mark, key, score):
    c.text(f"{key}: link", (mark.get("href"), mark.get("aria-label")),
           (problem_page(score, key), key))


def bounds(low, high):
    """An interval as a title has it; an end may be 0 or infinite."""
    return (f"{ratio(low)} to {ratio(high)}" if low and high < math.inf else
            f"at least {ratio(low)}" if low else
            f"at most {ratio(high)}" if high < math.inf else "not known")


def check_speedups(text, score, lines, names):
    """`names` are the problems', by key. What has no known interval is hollow."""
    c = Chart(text, is_log_x=True)
    found = reaches(lines)
    marks = c.marks()
    c.text("marks", len(marks), len(found))
    c.text("names", [t.text for t in c.root.findall("text[@class='row']")],
           [f"{key} {names[key].split('_', 1)[1]}" for key in found])
    for i, (mark, (key, (micro, low, high))) in enumerate(
            zip(marks, found.items())):
        check_link(c, mark, key, score)
        c.text(key, mark.find("title").text,
               f"{key}: {ratio(micro)} ({bounds(low, high)})")
        c.text(key, mark.get("class"), None if low and high < math.inf
               else "unknown")
        y = 12 + 16 * (i + 0.5)
        c.places(key, [centre(mark)], [(c.x.at(micro / 1e6), y)])
        c.places(f"{key}: interval", corners(mark.find("path").get("d")),
                 [(c.x.at(end / 1e6), y) for end in (low, high)])
    return c


# --- fast_p ------------------------------------------------------------------

P_MAX = 3


def steps(values, problems):
    """From left to right, where each value is passed: (p, percent)."""
    left = len(values)
    points = [(0, left)]
    for v in sorted(values):
        if v < P_MAX * 10 ** 6:
            points += [(v / 1e6, left), (v / 1e6, left - 1)]
            left -= 1
    return [(p, 100 * n / problems) for p, n in points + [(P_MAX, left)]]


def check_fast_p(text, scores):
    """A curve for each of [(title, score's id, lines)] and, of up to three,
    the band between the least and the most."""
    c = Chart(text)
    curves, bands = c.paths("curve")[:len(scores)], c.paths("band")
    c.text("bands", len(bands), len(scores) if len(scores) <= 3 else 0)
    c.text("titles", [p.find("title").text for p in curves],
           [f"{title}, {score[:12]}" for title, score, _ in scores])

    def drawn(points):
        return [(c.x.at(p), c.y.at(percent)) for p, percent in points]
    for i, (title, _, lines) in enumerate(scores):
        micro, low, high = ([r[end] for r in reaches(lines).values()]
                            for end in range(3))
        c.places(title, corners(curves[i].get("d")),
                 drawn(steps(micro, len(lines))))
        if bands:
            c.places(f"{title}: band", corners(bands[i].get("d")),
                     drawn(steps(high, len(lines)) +
                           steps(low, len(lines))[::-1]))
    return c


# --- drift and noise ---------------------------------------------------------

def check_strip(c, y, marks, mark, values):
    """Around `y`; `mark` is that of the lower of two in the middle."""
    c.text("titles", [m.find("title").text for m in marks],
           [f"{key}: {ratio(micro)}" for key, micro in values])
    xs = [c.x.at(micro / 1e6) for _, micro in values]
    c.places("marks", [centre(m) for m in marks],
             [(x, y + 6 * (i % 3 - 1)) for i, x in enumerate(xs)])
    middle = sorted(xs)[(len(xs) - 1) // 2]
    c.places("median", corners(mark.get("d")),
             [(middle, y - 16), (middle, y + 16)])


def check_spread(text, lines):
    c = Chart(text, is_log_x=True)
    drift = [(x["key"], rounded(x["reference_ns"], x["baseline_ns"]))
             for x in lines if x["reference_ns"] and x["baseline_ns"]]
    noise = [(x["key"], x["noise_micro"]) for x in lines if x["noise_micro"]]
    c.x.ends = 0.25, 4      # it may be narrower: then nothing lies beyond
    marks, medians = c.marks(), c.paths("axis")
    middles = [float(t.get("y")) - 4
               for t in c.root.findall("text[@class='head']")]
    check_strip(c, middles[0], marks[:len(drift)], medians[0], drift)
    check_strip(c, middles[1], marks[len(drift):], medians[1], noise)
    return c


# --- roofline ----------------------------------------------------------------

# Of the H200, by its data sheet: 4.8 TB/s, and 3958 TFLOP/s of FP8 with
# sparsity, which is twice what it does without; and what 132 SMs do at the
# highest clock that its records tell, in FP8 and in FP32.
SHEET_MB, SHEET_GOP = 4800000, 1979000
MHZ = 1980
TOP_GOP, FP32_GOP = (132 * n * MHZ // 1000 for n in (8192, 256))


def check_roof(c):
    """From where it is as low as the chart to the ridge, and on."""
    roof, = c.paths("roof")
    c.text("roof", roof.find("title").text,
           f"{SHEET_MB} MB/s, {TOP_GOP} GOP/s")
    ridge = 1000 * TOP_GOP / SHEET_MB
    start = max(c.x.low, 1000 * c.y.low / SHEET_MB)
    c.places("roof", corners(roof.get("d")), [
        (c.x.at(start), c.y.at(start * SHEET_MB / 1000)),
        (c.x.at(ridge), c.y.at(TOP_GOP)), (c.x.x1, c.y.at(TOP_GOP))])
    fp32, = c.paths("fp32")
    c.text("fp32", fp32.find("title").text,
           f"fp32 without tensor cores, {FP32_GOP} GOP/s")
    c.places("fp32", corners(fp32.get("d")), [
        (c.x.at(1000 * FP32_GOP / SHEET_MB), c.y.at(FP32_GOP)),
        (c.x.x1, c.y.at(FP32_GOP))])
    c.text("rates", [t.text for t in c.root.iter("text")
                     if t.get("class") == "e rate"],
           [f"the fastest type, {TOP_GOP / 1000:.4g} TOP/s at {MHZ} MHz",
            f"fp32 without tensor cores, {FP32_GOP / 1000:.4g} TOP/s at {MHZ} MHz"])


def check_roofline(text, score, lines, facts, has_roof):
    """`facts` are those of the suite's problems, by key."""
    c = Chart(text, is_log_x=True, is_log_y=True)
    if has_roof:
        check_roof(c)
    shown = [x for x in lines if x["status"] == "correct" and
             x["candidate_ns"] and facts[x["key"]]["flops"]]
    c.text("marks", len(c.marks()), len(shown))
    for mark, line in zip(c.marks(), shown):
        key, flops = line["key"], facts[line["key"]]["flops"]
        achieved = flops / line["candidate_ns"]
        intensity = flops / facts[key]["bytes_min"]["fp32"]
        check_link(c, mark, key, score)
        c.text(key, mark.find("title").text,
               f"{key}: {achieved:.1f} GFLOP/s at {intensity:.3g} FLOP/B")
        c.places(key, [centre(mark)], [(c.x.at(intensity), c.y.at(achieved))])
    return c


# --- outcomes ----------------------------------------------------------------

# Of the statuses that there are here, in the order of a bar.
CLASSES = {"correct": ("✓", "correct"), "mismatch": ("W", "wrong answer"),
           "crashed": ("F", "failed running"), "missing": ("–", "missing")}


def check_outcomes(text, record):
    """A bar for each level and one for all, each problem of the same width
    from the left on."""
    c = Chart(text)
    counts = [(f"level {level['level']}", level["status_counts"])
              for level in record["levels"]]
    parts = [(name, n, *CLASSES[status]) for name, of in
             counts + [("all", record["overall"]["status_counts"])]
             for status, n in sorted(of.items(), key=lambda item: list(
                 CLASSES).index(item[0]))]
    marks = c.marks()
    c.text("titles", [m.find("title").text for m in marks],
           [f"{name}: {n} {of}" for name, n, _, of in parts])
    c.text("letters", [m.find("text").text for m in marks],
           [f"{letter} {n}" for _, n, letter, _ in parts])
    rows = {t.text: (float(t.get("y")) - 15) for t in
            c.root.findall("text[@class='head']")}
    left, right = 72, float(c.root.get("width")) - 16
    each = (right - left) / record["overall"]["problems"]
    before = dict.fromkeys(rows, 0)
    for mark, (name, n, _, _) in zip(marks, parts):
        x, width = left + each * before[name], each * n
        before[name] += n
        rect, letter = mark.find("rect"), mark.find("text")
        c.places(name, [[float(rect.get(of)) for of in
                         ("x", "y", "width", "height")],
                        [float(letter.get(of)) for of in "xy"]],
                 [(x, rows[name], width, 22),
                  (x + width / 2, rows[name] + 15)])
    return c


# --- costs -------------------------------------------------------------------

def check_costs(text, points):
    """Of [(name, fast_1, problems, tokens)] that come to as much: the line is
    that of the fewest tokens."""
    c = Chart(text, is_log_x=True)
    at = [(c.x.at(tokens), c.y.at(100 * fast / problems))
          for _, fast, problems, tokens in points]
    c.text("titles", [m.find("title").text for m in c.marks()],
           ["%s: %d of %d, %d tokens" % point for point in points])
    c.places("marks", [centre(m) for m in c.marks()], at)
    frontier, = c.paths("curve")
    c.places("line", corners(frontier.get("d")),
             [min(at), (c.x.x1, min(at)[1])])
    return c
