"""manifests/members.tsv: what stands against each member of a record."""

import fnmatch
import json
import pathlib

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TABLE = SOURCE / "manifests" / "members.tsv"
CLASSES = ("derived", "option", "bounded", "free")
DEVICES = ("cpu", "cuda")
# Which members of a bundle have lines, and their sections, by kind.
LINES = {
    "baseline": {"data/results.jsonl": "baseline-line"},
    "evaluation": {"data/results.jsonl": "evaluation-line"},
    "audit": {"data/results.jsonl": "audit-line"},
    "score": {"data/scores.jsonl": "score-line"},
    "generation": {"data/results.jsonl": "generation-line",
                   "data/prompts.jsonl": "prompt-line"},
}


class Member:
    """`of_class` has the class on each device."""

    def __init__(self, number, cells):
        cells += [""] * (4 - len(cells))
        self.number = number
        self.path, words, self.of, self.group = cells
        self.of_class = dict.fromkeys(DEVICES, words)
        for word in words.split(", ") if " " in words else ():
            name, device = word.split()
            self.of_class[device] = name


def read_sections():
    """Of each section its rows, as they are written."""
    sections, rows = {}, None
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        if line.startswith("["):
            rows = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            rows.append(Member(number, line.split("\t")))
    return sections


def expand(sections, name, prefix=""):
    """(path, row) of all members of a section, those of groups as well."""
    for row in sections[name]:
        path = prefix + row.path
        if row.path == "+":
            yield from expand(sections, row.group, prefix)
            continue
        yield path, row
        if row.group:
            yield from expand(sections, row.group, path + ".")


def of_schema(sections, name):
    return dict(expand(sections, name))


def find(rows, path):
    """The row of a path: its own, or the closest whose pattern fits. Names in
    match keys have full stops."""
    if path in rows:
        return rows[path]
    fit = [pattern for pattern in rows if "*" in pattern and
           fnmatch.fnmatchcase(path, pattern)]
    return rows[max(fit, key=len)] if fit else None


def names_in(value, prefix=""):
    """The path of every member within, without places in arrays."""
    if isinstance(value, dict):
        for member, item in value.items():
            yield prefix + member
            yield from names_in(item, prefix + member + ".")
    elif isinstance(value, list):
        for item in value:
            yield from names_in(item, prefix)


def enumerations(schema):
    """Lists of the words that a member may be."""
    if isinstance(schema, list):
        for part in schema:
            yield from enumerations(part)
    elif isinstance(schema, dict):
        words = [x for x in schema.get("enum", []) if isinstance(x, str)]
        yield from [words] if words else []
        yield from enumerations(list(schema.values()))


def read_enumerations():
    """Those of all schemas."""
    return [words for path in sorted(TABLE.parent.glob("*.schema.json"))
            for words in enumerations(json.loads(path.read_text()))]


def own_name(path):
    """A member's own name."""
    return path.rpartition(".")[2]
