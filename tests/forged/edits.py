"""Random edits of honest bundles, and what kb-verify may say of each by the
table of members, manifests/members.tsv: who changes what is derived is
refused; what is free can be changed, and what is bounded within bounds."""

import collections
import copy
import pathlib
import random
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))

import members  # noqa: E402

# So often is a member edited until that says what the table does.
TRIES = 300
ENUMERATIONS = members.read_enumerations()


# --- places ----------------------------------------------------------------

def places(value, path=()):
    """Every place within, as a path."""
    if path:
        yield path
    items = (value.items() if isinstance(value, dict) else
             enumerate(value) if isinstance(value, list) else ())
    for key, item in items:
        yield from places(item, path + (key,))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def name_of(path):
    return ".".join(step for step in path if isinstance(step, str))


def differing(a, b, path=()):
    """Of the members in which two values differ the innermost. JSON's true is
    not 1, and Python's is."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(a.keys() | b.keys()):
            if key in a and key in b:
                yield from differing(a[key], b[key], path + (key,))
            else:
                yield path + (key,)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, pair in enumerate(zip(a, b)):
            yield from differing(*pair, path + (i,))
    elif repr(a) != repr(b):
        yield path


def same_type(a, b, path):
    """Was the place there, is it, and of one type?"""
    try:
        return type(at(a, path)) is type(at(b, path))
    except (KeyError, IndexError, TypeError):
        return False


# --- subjects --------------------------------------------------------------

class Subject:
    """An honest bundle in parts: the record, and then its lines, of which each
    part is a list. A part has a section of the table."""

    def __init__(self, name, bundle, sections):
        self.name, self.bundle = name, bundle
        self.kind = bundle.record["kind"]
        lines = members.LINES.get(self.kind, {})
        self.lines = list(lines)
        self.sections = [self.kind, *lines.values()]
        device = bundle.record.get("environment", {}).get("device", {})
        self.device = device.get("kind", "cpu")
        self.values = [bundle.record, *map(bundle.lines, self.lines)]
        self.rows = [members.of_schema(sections, name)
                     for name in self.sections]

    def paths(self):
        """Of the record, and of the lines, by the name of the member."""
        found = collections.defaultdict(list)
        for part, value in enumerate(self.values):
            for path in places(value):
                if not part or len(path) > 1:
                    found[part, name_of(path)].append(path)
        return found

    def class_of(self, part, name):
        """Lines come and go with what the record says of them."""
        row = members.find(self.rows[part], name)
        return (row.of_class[self.device] if row else
                "derived" if part and not name else None)

    def write(self, values, path):
        bundle = self.bundle.copy()
        bundle.record = values[0]
        for member, lines in zip(self.lines, values[1:]):
            bundle.set_lines(lines, member)
        shutil.rmtree(path, ignore_errors=True)
        bundle.write(path)


# --- edits -----------------------------------------------------------------

def changed(value, r):
    """Another value, most often of the same type."""
    if r.random() < 0.2:
        return r.choice([None, True, 0, -1, "x", [], {}, 2 ** 60, ""])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return r.choice([value + 1, value - 1, value * 2, value // 2, -value,
                         value * 1000, 0, 1])
    alike = [words for words in ENUMERATIONS if value in words]
    if alike and r.random() < 0.7:
        return r.choice(r.choice(alike))
    if isinstance(value, str):
        return r.choice([value + "1", value[1:], value.swapcase(),
                         value[::-1], "0", "1.5", "7" * len(value)])
    if value is not None and r.random() < 0.5:
        return None
    return r.choice([True, 1, "1", "x", "ab" * 20, "ab" * 32])


def edit(values, part, path, others, r):
    """Bend at one place, in place."""
    parent, step = at(values[part], path[:-1]), path[-1]
    how = r.choice(["remove", "change", "change", "double", "swap", "swap"])
    if how == "remove":
        parent.pop(step)
    elif how == "change":
        parent[step] = changed(parent[step], r)
    elif how == "double" and isinstance(parent, list):
        parent.insert(step, copy.deepcopy(parent[step]))
    elif how == "swap":
        try:
            other = r.choice(others).values[part]
            if part and r.random() < 0.5:
                path = (r.randrange(len(other)),) + path[1:]
            parent[step] = copy.deepcopy(at(other, path))
        except (KeyError, IndexError, TypeError):
            return


class Edits:
    """Of all subjects; `verify` answers with a status and a text."""

    def __init__(self, made, verify, seed, path):
        sections = members.read_sections()
        self.subjects = [Subject(name, bundle, sections)
                         for name, bundle in sorted(made.items())]
        self.places = [s.paths() for s in self.subjects]
        self.verify, self.path = verify, path
        self.r = random.Random(seed)

    def others(self, subject):
        return [s for s in self.subjects if s.kind == subject.kind]

    def bend(self, subject, where):
        """Each (part, path) of `where`, as far as it is still there; the
        names of the members that are others now."""
        values = copy.deepcopy(subject.values)
        for part, path in where:
            try:
                at(values[part], path)
            except (KeyError, IndexError, TypeError):
                continue
            edit(values, part, path, self.others(subject), self.r)
        paths = [(part, path) for part, value in enumerate(values) for path in
                 differing(subject.values[part], value)]
        if not paths:
            return None
        subject.write(values, self.path)
        answer = Answer(subject, *self.verify(self.path))
        answer.names = {(part, name_of(path)) for part, path in paths}
        answer.places = {(part, name_of(path)) for part, path in where}
        answer.is_typed = all(
            same_type(subject.values[part], values[part], path)
            for part, path in paths)
        return answer

    def random(self, count):
        """Single and double edits, of members that are drawn alike often."""
        while count:
            i = self.r.randrange(len(self.subjects))
            where = []
            for _ in range(self.r.choice([1, 1, 2])):
                part, name = self.r.choice(sorted(self.places[i]))
                where.append((part, self.r.choice(
                    self.places[i][part, name])))
            answer = self.bend(self.subjects[i], where)
            if answer:
                count -= 1
                yield answer

    def each(self, share, shares):
        """Every member of every kind, until the table is confirmed."""
        by_member = collections.defaultdict(list)
        for subject, found in zip(self.subjects, self.places):
            for (part, name), paths in found.items():
                what = subject.class_of(part, name)
                by_member[subject.sections[part], part, name, what].append(
                    (subject, paths))
        for key in sorted(by_member, key=str)[share::shares]:
            yield from self.until_confirmed(key, by_member[key])

    def until_confirmed(self, key, candidates):
        _, part, name, what = key
        wanted = what == "free"
        for _ in range(TRIES):
            subject, paths = self.r.choice(candidates)
            answer = self.bend(subject, [(part, self.r.choice(paths))])
            if not answer:
                continue
            yield answer
            if answer.names == {(part, name)} and \
                    (answer.said == "accepted") == wanted:
                return


# --- answers ---------------------------------------------------------------

class Answer:
    """Of one edited bundle: "accepted", "refused", or "malformed" if already
    its reader does. `names` are the members that are others now, `places`
    those that were edited."""

    def __init__(self, subject, status, text):
        self.subject, self.text = subject, text
        self.said = ("accepted" if status == 0 else
                     "failed" if status != 1 else
                     "malformed" if ": bytes: record: no: " in text else
                     "refused")

    def classes(self, names):
        return {self.subject.class_of(*name) for name in names}

    def may_be(self):
        """All that is another is free or bounded; or what is around it is,
        and went as a whole."""
        loose = {"free", "bounded"}
        return (self.classes(self.names) <= loose or
                self.classes(self.places) <= loose and
                all(any(part == at and (name + ".").startswith(place + ".")
                        for at, place in self.places)
                    for part, name in self.names))

    def fault(self):
        """Why that cannot be, or None."""
        if self.said == "failed":
            return "neither yes nor no"
        if self.said == "accepted" and not self.may_be():
            return "accepted, and not free"
        if self.said == "refused" and self.is_typed and \
                self.classes(self.names) == {"free"}:
            return "refused, and free"
        return None

    def words(self):
        names = " and ".join(("line: " if part else "record: ") + name
                             for part, name in sorted(self.names))
        lines = self.text.splitlines()
        return "%s %s: %s" % (self.subject.name, names, next(
            (line for line in lines if ": no: " in line), lines[0]))

    def to_json(self):
        """For another process."""
        single = len(self.names) == 1 and next(iter(self.names))
        return {"said": self.said, "fault": self.fault(),
                "words": self.words(), "member": single and [
                    self.subject.sections[single[0]],
                    single[1], self.subject.class_of(*single)]}


class Census:
    """What became of edits of one member each, by kind, member and class."""

    def __init__(self, answers):
        self.counts = collections.defaultdict(collections.Counter)
        for answer in answers:
            if answer["member"]:
                key = tuple(word or "" for word in answer["member"])
                self.counts[key][answer["said"]] += 1

    def unlike(self):
        """Members of which they say something else than the table."""
        return ["%s %s is %s, and was %s accepted" %
                (kind, name or "as a whole", what,
                 "never" if what == "free" else "always")
                for (kind, name, what), n in sorted(self.counts.items())
                if (what == "free" and not n["accepted"]) or
                (what != "free" and n["accepted"] == sum(n.values()))]

    def lines(self):
        for (kind, name, what), n in sorted(self.counts.items()):
            yield "%-16s %-48s %-8s %4d accepted, %4d refused, %4d malformed" \
                % (kind, name or "(whole lines)", what, n["accepted"],
                   n["refused"], n["malformed"])
        for verdict in ("accepted", "refused", "malformed"):
            by_class = collections.Counter()
            for (_, _, what), n in self.counts.items():
                by_class[what] += n[verdict]
            yield "%s: %s" % (verdict, ", ".join(
                "%d of what is %s" % (by_class[what], what)
                for what in members.CLASSES))


def absent(made):
    """Rows of the table for which no honest bundle has a member. A pattern is
    for those that have no row."""
    sections, found = members.read_sections(), set()
    for name, bundle in made.items():
        subject = Subject(name, bundle, sections)
        for part, path in subject.paths():
            row = members.find(subject.rows[part], path)
            found.add(row and row.number)
    return ["line %d of the table: %s" % (row.number, row.path)
            for rows in sections.values() for row in rows
            if row.number not in found and "*" not in row.path and
            row.path != "+"]
