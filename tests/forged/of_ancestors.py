"""Forgeries far up a chain that is whole: of what the parents were made from.
Each is asked of every record that stands on it."""

import pathlib

from bend import FORGED, of_line, of_record, rechained, set_to
from honest import answered, baseline, digest, evaluation, extracted, \
    generation

STORE = pathlib.Path("elsewhere")


def asked_of(make, name, edit, of):
    """Bend `name` of what `make` gives and verify `of`."""
    def forge():
        bundles = rechained(make(), name, edit)
        for b in bundles.values():
            b.write(STORE / b.id())
        bundles[of].write(FORGED)
        return ["--store", STORE, FORGED]
    return forge


def scored(w, e, b, *others):
    """The score of both, made in a store of all."""
    for x in (e, b, *others):
        x.write(STORE / x.id())
    return w.score(e, b, STORE)


def of_derived(w):
    """On a suite that is derived by sizes."""
    suite = w.made["derived all"]
    e = evaluation(suite.id(), w.made["submission"].id(), "cpu")
    b = baseline(suite.id(), "cpu")
    return {"parent": w.made["sized"], "suite": suite, "evaluation": e,
            "baseline": b, "submission": w.made["submission"],
            "score": scored(w, e, b, w.made["sized"], suite,
                            w.made["submission"])}


def of_answers(w):
    """On a submission that was made of a model's answers."""
    suite = w.made["suite"]
    g = generation(suite.id(), answered())
    s = extracted(g, answered())
    e = evaluation(suite.id(), s.id(), "cpu")
    b = w.made["baseline cpu"]
    return {"suite": suite, "generation": g, "submission": s, "evaluation": e,
            "baseline": b, "score": scored(w, e, b, suite, g, s)}


def of_refined(w):
    """On evaluations of turns."""
    return {name: w.made[name] for name in (
        "suite", "submission", "baseline cuda", "evaluation cuda", "refined",
        "refined submission")}


def works_ten_times(b):
    """The file of problem 1/1, and what the record says of it."""
    r = b.record
    p = r["problems"][0]
    text = b.files[p["file"]] + b"\n\ndef forward(self, x): ...\n"
    b.files[p["file"]] = text
    p.update(sha256=digest(text), size_bytes=len(text))
    b.record = r


def mended(b):
    """A candidate, by hand, and what the record says of it."""
    r = b.record
    c = r["candidates"][0]
    text = b.files[c["file"]] + b"# mended\n"
    b.files[c["file"]] = text
    c.update(sha256=digest(text), size_bytes=len(text))
    b.record = r


def evaluated_mended(bundles):
    """The same, and the evaluation says that it was of that file."""
    bundles = rechained(bundles, "submission", mended)
    sha = bundles["submission"].record["candidates"][0]["sha256"]
    return rechained(bundles, "evaluation", of_line(
        0, set_to(sha, "candidate_sha256")))


def ancestors(w):
    derived, answers = (
        lambda: of_derived(w)), (lambda: of_answers(w))
    for what, edit in (
            ("works ten times", works_ten_times),
            ("another version", of_record(set_to("9", "version"))),
            ("a size from nowhere", of_record(
                set_to(4097, "sizes", 0, "before")))):
        for of in ("baseline", "evaluation", "score"):
            yield "suite derived, %s: %s" % (what, of), asked_of(
                derived, "suite", edit, of)
    for what, edit in (
            ("totals", of_record(set_to(1, "totals", "output_tokens"))),
            ("another model", of_record(lambda r: (
                r.update(model="gpt-9"), r["options"].update(
                    model="gpt-9")))),
            ("another tool", of_record(set_to("kb-pack", "tool", "name"))),
            ("an answer edited", of_line(0, set_to("stop", "message"))),
            ("seed", of_record(set_to(8, "seed")))):
        for of in ("submission", "evaluation", "score"):
            yield "generation, %s: %s" % (what, of), asked_of(
                answers, "generation", edit, of)
    for of in ("evaluation", "score"):
        yield "submission mended by hand: %s" % of, asked_of(
            lambda: evaluated_mended(answers()), "submission", lambda b: None,
            of)
    for what, edit in (
            ("seeds", of_line(0, set_to([], "trial_seeds"))),
            ("another tool", of_record(set_to("kb-pack", "tool", "name"))),
            ("no wall time", of_line(0, set_to(0, "wall_ns")))):
        for of in ("refined", "refined submission"):
            yield "evaluation of a turn, %s: %s" % (what, of), asked_of(
                lambda: of_refined(w), "evaluation cuda", edit, of)
    for what, edit in (
            ("seeds", of_line(1, set_to([], "trial_seeds"))),
            ("another tool", of_record(set_to("kb-pack", "tool", "name")))):
        for of in ("refined", "refined submission"):
            yield "baseline of turns, %s: %s" % (what, of), asked_of(
                lambda: of_refined(w), "baseline cuda", edit, of)
