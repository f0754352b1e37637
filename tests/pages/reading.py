"""What pages of kb-report hold, as it is read back: their elements and tables,
and how a number of a record reads on one."""

import re
from html.parser import HTMLParser

VOID = {"meta", "br", "link", "input"}


class Page(HTMLParser):
    """Every element with its attributes, the tables' cells, and the texts of
    heads, summaries and facts."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.tables, self.open = [], {}, []
        self.table = self.cell = self.script = None
        self.scripts, self.texts = [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.elements.append((tag, attrs))
        if tag not in VOID and not tag == "path" and not tag == "rect" \
                and not tag == "circle":
            self.open.append(tag)
        if tag == "table":
            self.table = {"heads": [], "rows": []}
            self.tables[attrs.get("id")] = self.table
        elif tag == "tr" and self.table is not None:
            self.table["rows"].append((attrs, []))
        elif tag in ("td", "th") and self.table is not None:
            self.cell = {"attrs": attrs, "text": ""}
            self.table["rows"][-1][1].append(self.cell)
        elif tag == "br" and self.cell is not None:
            self.cell["text"] += "\n"
        elif tag in ("h2", "summary", "dt", "dd"):
            self.texts.append([tag, ""])

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag in ("path", "rect", "circle"):
            return
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:])
        self.open.pop()
        if tag == "table":
            self.table = None
        elif tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell["text"] += data
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        if self.texts and self.open and self.open[-1] == self.texts[-1][0]:
            self.texts[-1][1] += data

    def rows(self, table):
        """[(attributes, {column: cell})], by the heads' data-of."""
        head, *body = self.tables[table]["rows"]
        names = [c["attrs"].get("data-of") for c in head[1]]
        return [(attrs, dict(zip(names, cells))) for attrs, cells in body]


def table_of(page, name):
    """The text of a table in that of a page."""
    return re.search(rf'<table[^>]* id="{name}".*?</table>', page,
                     re.S).group()


# --- how numbers read --------------------------------------------------------

def us(ns):
    sign, ns = ("-", -ns) if ns < 0 else ("", ns)
    return f"{sign}{ns // 1000}.{ns % 1000:03}"


def ratio(micro):
    milli = (micro + 500) // 1000
    return f"{milli // 1000}.{milli % 1000:03}x"


def percent(part, whole):
    tenths = (2 * part * 1000 + whole) // (2 * whole)
    return f"{tenths // 10}.{tenths % 10}%"


def count_text(n, of):
    return f"{n} {percent(n, of)}"


def rounded(over, under):
    return (2 * over * 10 ** 6 + under) // (2 * under)


class Compared(list):
    """What differs."""

    def number(self, where, cell, value, text):
        want = ("", "-") if value is None else (str(value), text(value))
        got = (cell["attrs"].get("data-v"), cell["text"])
        if got != want:
            self.append(f"{where}: {got}, want {want}")

    def interval(self, where, cell, low, high, text):
        """Each end is None where it is unknown."""
        ends = ["unknown" if x is None else text(x) for x in (low, high)]
        want = ("" if low is None else str(low),
                "-" if low is high is None else " to ".join(ends))
        self.text(where, (cell["attrs"].get("data-v"), cell["text"]), want)

    def error(self, where, cell, value):
        want = ("", "-") if value is None else (
            f"{float(value):.9g}", f"{float(value):.1e}")
        self.text(where, (cell["attrs"].get("data-v"), cell["text"]), want)

    def text(self, where, got, want):
        if got != want:
            self.append(f"{where}: {got!r}, want {want!r}")


# --- whether a check would see it ---------------------------------------------

# Not those of a name, as p0 is, nor a circle's radius.
NUMBER = re.compile(r'(?<![a-z\d.])(?<! r=")\d+(\.\d+)?')


def numbers_in(text, where):
    """The spans of numbers in what `where` matches."""
    for m in re.finditer(where, text):
        for n in NUMBER.finditer(m.group()):
            yield m.start() + n.start(), m.start() + n.end()


def unseen(text, where, check):
    """What is wrong with a check of `text` that should see any number change
    in what `where` matches: those that it does not see, or that there are
    none. A number is changed by 1, one with a fraction by 0.4."""
    spans = list(numbers_in(text, where))
    for start, end in spans:
        n = text[start:end]
        other = f"{float(n) + 0.4:.3f}" if "." in n else str(int(n) + 1)
        if not check(text[:start] + other + text[end:]):
            yield f"{n} of {text[max(start - 50, 0):end + 10]!r} may change"
    if not spans:
        yield f"{where} matches no number"
