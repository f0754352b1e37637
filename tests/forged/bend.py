"""How a forgery is made: one place of an honest bundle bent.

Unless a family says otherwise the bag is made again after an edit: whoever
forges a bundle can run sha256sum.
"""

import pathlib

from honest import LINES, RECORD, Bundle

FORGED = pathlib.Path("forged")


class World:
    def __init__(self, made, binaries, keys, run, score):
        self.made, self.bin, self.keys = made, binaries, keys
        self.run, self.score = run, score
        self.roots = [FORGED, pathlib.Path("elsewhere")]

    def scratch_paths(self):
        return [*self.roots,
                *pathlib.Path(".").glob("*.dsse.json"),
                *pathlib.Path(".").glob("*.pub")]

    def edited(self, name, edit):
        """Bend a copy of an honest bundle and write it as `forged`."""
        def forge():
            bundle = self.made[name].copy()
            edit(bundle)
            bundle.write(FORGED)
            return [FORGED]
        return forge

    def on_disk(self, name, bend):
        """Write an honest bundle as `forged` and bend what lies there."""
        def forge():
            self.made[name].copy().write(FORGED)
            bend(FORGED)
            return [FORGED]
        return forge


def read_audit(tests, suite_id):
    """The fixture of kb-verify's tests, of our suite and its problems."""
    data = tests / "cli" / "score" / "fixture" / "audit" / "data"
    b = Bundle({RECORD: (data / "manifest.json").read_bytes(),
                LINES: (data / "results.jsonl").read_bytes()})
    keys = {"1/2": "1/1", "1/9": "1/2", "2/2": "2/1"}
    record, lines = b.record, b.lines()
    record["parents"][0]["id"] = suite_id
    record["problems"] = list(keys.values())
    record["options"] = dict(record["options"],
                             problems=",".join(keys.values()))
    for line in lines:
        line["key"] = keys[line["key"]]
        line["level"], line["problem_id"] = map(int, line["key"].split("/"))
    b.record = record
    b.set_lines(lines)
    return b


def of_record(edit):
    """An edit of a record's value."""
    def apply(bundle):
        record = bundle.record
        edit(record)
        bundle.record = record
    return apply


def of_line(index, edit, member=LINES):
    """An edit of one line's value."""
    def apply(bundle):
        lines = bundle.lines(member)
        edit(lines[index])
        bundle.set_lines(lines, member)
    return apply


def of_lines(edit, member=LINES):
    def apply(bundle):
        lines = bundle.lines(member)
        edit(lines)
        bundle.set_lines(lines, member)
    return apply


def set_to(value, *path):
    def edit(v):
        for step in path[:-1]:
            v = v[step]
        v[path[-1]] = value
    return edit


def replace(member, old, new, count=1):
    def apply(bundle):
        data = bundle.files[member]
        assert old in data, (member, old)
        bundle.files[member] = data.replace(old, new, count)
    return apply


def rechained(bundles, name, edit):
    """Copies of `bundles`, by name, of which `name` is bent: those that were
    made from it, and from these, name it by its new id, so that the chain is
    whole."""
    bundles = {k: b.copy() for k, b in bundles.items()}
    todo = [(name, edit)]
    while todo:
        name, edit = todo.pop(0)
        old = bundles[name].id().encode()
        edit(bundles[name])
        new = bundles[name].id().encode()
        for other, b in bundles.items():
            if new != old and old in b.files[RECORD]:
                todo.append((other, lambda x, old=old, new=new:
                             x.files.update({RECORD: x.files[
                                 RECORD].replace(old, new)})))
    return bundles
