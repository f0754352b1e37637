"""Forgeries of a suite of gradients of another suite's problems."""

import honest
from bend import of_record, set_to
from of_sizes import FIRST, both, refile


def left_out(key, **more):
    level, problem_id = map(int, key.split("/"))
    return dict(more, key=key, level=level, problem_id=problem_id)


def without(member, key):
    """Take a problem out of the record and its file out of the bundle."""
    def apply(bundle):
        of_record(lambda r: r["problems"].remove(next(
            p for p in r["problems"] if p["key"] == key)))(bundle)
        bundle.files.pop(member)
    return apply


def gradients(w):
    """What the record says, against the parent."""
    def record(name, *edits):
        return name, w.edited("gradients", both(*edits))

    def backward(value, *path):
        return of_record(set_to(value, "backward", *path))

    yield record("another rule", backward("gradients-3", "rule"))
    yield record("the rule of another text", backward("gradients-2", "rule"))
    yield record("no rule", of_record(lambda r: r["backward"].pop("rule")))
    yield record("no reason", backward("", "left_out", 0, "reason"))
    yield record("a reason of two lines",
                 backward("a\nb", "left_out", 0, "reason"))
    yield record("a reason that is too long",
                 backward("x" * 257, "left_out", 0, "reason"))
    yield record("nothing is left out, and a problem is missing",
                 backward([], "left_out"))
    yield record("a problem is left out that is there",
                 backward([left_out("1/1", reason="x"),
                           left_out("2/1", reason="x")], "left_out"))
    yield record("a problem is left out that the parent lacks",
                 backward([left_out("2/1", reason="x"),
                           left_out("2/9", reason="x")], "left_out"))
    yield record("a problem is left out twice",
                 backward([left_out("2/1", reason="x")] * 2, "left_out"))
    yield record("a problem is dropped", without(FIRST, "1/1"))
    yield record("no parent", of_record(set_to([], "parents")))
    yield record("a parent and no gradients",
                 of_record(lambda r: r.pop("backward")))
    yield record("sizes in place of gradients", of_record(lambda r: (
        r.pop("backward"), r.update(sizes=[dict(
            left_out("1/1"), constant="m", before=64, after=64)]))))
    yield record("sizes that are not in the files", of_record(
        lambda r: r.update(sizes=[
            dict(left_out(p["key"]), constant="m", before=64, after=67)
            for p in r["problems"]])))
    yield record("facts", of_record(set_to(
        honest.PROBLEMS["1/1"][1], "problems", 0, "facts")))
    yield record("another version", of_record(set_to("2", "version")))
    yield record("no commit", of_record(set_to(None, "upstream_commit")))
    yield record("other conventions", of_record(set_to("v3", "conventions")))


def gradients_files(w):
    """Code that is neither the parent's nor the text behind it."""
    def file(name, old, new):
        return name, w.edited("gradients", refile(FIRST, old, new))

    yield file("another size", b"m = 64", b"m = 67")
    yield file("a comment in the parent's part", b"k = n * 2",
               b"k = n * 2  # easy")
    yield file("no text behind it", honest.GRADIENTS, b"")
    yield file("the text twice", honest.GRADIENTS, honest.GRADIENTS * 2)
    yield file("a line behind the text", honest.GRADIENTS,
               honest.GRADIENTS + b"get_inputs = list\n")
    yield file("gradients of nothing", b"torch.randn(shape",
               b"torch.zeros(shape")
    yield file("gradients that need not exist", b"allow_unused=True",
               b"allow_unused=False")
    yield file("a comment in the text", b"# Appended by", b"# appended by")


def gradients_parents(w):
    def parent(bundle):
        return of_record(set_to([{"kind": bundle.record["kind"],
                                  "id": bundle.id()}], "parents"))

    yield "another suite", w.edited("gradients", parent(w.made["suite"]))
    yield "a submission", w.edited("gradients", parent(w.made["submission"]))
    yield "itself derived", w.edited("gradients", parent(w.made["derived"]))
    yield "itself of gradients", w.edited(
        "gradients", parent(w.made["gradients"]))
