"""Forgeries of a refinement: what is said to have become of attempts, when
samples are said to have ended, and which attempt is said to be the best."""

from bend import of_line, of_lines, of_record, set_to
from honest import PROMPTS, canonical, digest

G, S = "refined", "refined submission"


def attempts(w):
    """Lines 0 and 1 are of one sample: correct in turn 1, no code in turn 2."""
    for member, value in (
            ("status", "mismatch"), ("status", "run_failed"),
            ("compiled", False), ("time_ns", 1), ("time_ns", None),
            ("baseline_ns", 10 ** 9), ("baseline_ns", None),
            ("bound_ns", 1), ("bound_ns", None), ("told", "Well done."),
            ("told", None)):
        yield "an attempt with %s %r" % (member, value), w.edited(
            G, of_line(0, set_to(value, "judged", member)))
    yield "an attempt not judged", w.edited(G, of_line(0, set_to(None,
                                                                 "judged")))
    yield "one without code that is correct", w.edited(
        G, of_line(1, set_to("correct", "judged", "status")))
    yield "one that was told of and not asked again", w.edited(
        G, of_line(1, set_to("More.", "judged", "told")))

    def swap(lines):
        lines[0]["judged"], lines[2]["judged"] = (lines[2]["judged"],
                                                  lines[0]["judged"])
    yield "verdicts of two samples exchanged", w.edited(G, of_lines(swap))


def ends(w):
    """Samples that ended earlier or later, and what they were asked."""
    yield "a last turn dropped", w.edited(G, of_lines(lambda x: x.pop(1)))
    yield "a first turn dropped", w.edited(G, of_lines(lambda x: x.pop(0)))
    for member, value in (("turns", 3), ("goal", "1x"), ("goal", None),
                          ("feedback", "status"), ("history", "last"),
                          ("budget_tokens", 70), ("budget_tokens", None),
                          ("budget_cost", "0.000001"), ("budget_cost", None)):
        option = {"turns": "turns", "goal": "goal", "feedback": "feedback",
                  "history": "history", "budget_tokens": "budget-tokens",
                  "budget_cost": "budget-cost"}[member]
        yield "%s %r" % (member, value), w.edited(
            G, of_record(set_to(value, "refinement", member)))
        if value is not None:
            def both(b, member=member, value=value, option=option):
                record = b.record
                record["refinement"][member] = value
                record["options"][option] = str(value)
                b.record = record
            if (member, value) != ("history", "last"):
                yield "%s %r, and the option" % (member, value), w.edited(
                    G, both)
    for word in ("status", "times", "mend", "improve"):
        yield "another word: %s" % word, w.edited(
            G, of_record(set_to("Other.", "refinement", "words", word)))
    yield "a word less", w.edited(
        G, of_record(lambda r: r["refinement"]["words"].pop("log")))
    yield "no refinement", w.edited(
        G, of_record(lambda r: r.pop("refinement")))


def asked(w):
    """A second prompt that is easier, named anew as everything that names it."""
    def easier(b):
        lines, prompts = b.lines(), b.lines(PROMPTS)
        old = lines[1]["prompt_sha256"]
        one = next(p for p in prompts if p["sha256"] == old)
        one["messages"][-1]["content"] += " Here is how."
        one["sha256"] = digest(canonical(one["messages"]))
        lines[1]["prompt_sha256"] = one["sha256"]
        b.set_lines(sorted(prompts, key=lambda p: p["sha256"]), PROMPTS)
        b.set_lines(lines)
    yield "a prompt edited, and named anew", w.edited(G, easier)


def judges(w):
    """Parents of another kind, number or content."""
    other = w.made["evaluation cpu"].id()
    for name, edit in (
            ("no evaluation", lambda r: r["parents"].pop(2)),
            ("another evaluation", set_to(other, "parents", 2, "id")),
            ("another baseline", set_to(w.made["baseline cpu"].id(),
                                        "parents", 1, "id")),
            ("an evaluation as baseline", set_to(other, "parents", 1, "id")),
            ("an evaluation more", lambda r: r["parents"].append(
                {"kind": "evaluation", "id": other})),
            ("a baseline more", lambda r: r["parents"].append(
                r["parents"][1])),
            ("parents exchanged", lambda r: r["parents"].insert(
                1, r["parents"].pop(2)))):
        yield name, w.edited(G, of_record(edit))


def chosen(w):
    """A submission of another attempt than the best."""
    def other(b):
        record, text = b.record, b"class ModelNew: fast\n"
        first = record["candidates"][0]
        b.files[first["file"]] = text
        first.update(sha256=digest(text), size_bytes=len(text))
        b.record = record
    yield "another candidate", w.edited(S, other)

    def last(b):
        record = b.record
        first = record["candidates"][0]
        b.files[first["file"]] = b""
        first.update(sha256=digest(b""), size_bytes=0)
        b.record = record
    yield "the last attempt, which has no code", w.edited(S, last)
    yield "a sample less", w.edited(
        S, lambda b: drop_candidate(b))


def drop_candidate(b):
    record = b.record
    del b.files[record["candidates"].pop(0)["file"]]
    b.record = record
