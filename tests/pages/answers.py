"""Scores of candidates that a model wrote, at a cost, in one ranking."""

import honest

ANSWERED = honest.answered()
# One more answer than the other, which takes tokens and has no code in it.
WORDY = sorted([a for a in ANSWERED if a[-1] == "code"] +
               [("1/2", 1, "I would rather not.", "stop", "no_code")])


def draw_anew(line, run):
    """The line of run 0, 1...: each has its seeds and its order of trials."""
    line["trial_seeds"] = [honest.digest(f"{run} {s}".encode())
                           for s in line["trial_seeds"]]
    for of in ("", "reference_"):
        for t in (line[of + "timing"],
                  (line.get(of + "device_timing") or {}).get("timing")):
            for name in ("small_ns", "large_ns") if t else ():
                t[name] = t[name][run:] + t[name][:run]


def evaluation(suite, submission, answers):
    """Of what was extracted; what has no code in it crashed."""
    ends = honest.CANDIDATES
    without = [a[:2] for a in answers if a[-1] == "no_code"]
    honest.CANDIDATES = sorted(ends + [(*a, "crashed") for a in without])
    e = honest.evaluation(suite.id(), submission.id(), "cuda")
    honest.CANDIDATES = ends
    lines = e.lines()
    for line in lines:
        if (line["key"], line["sample_id"]) in without:
            line["candidate_sha256"] = honest.digest(b"")
        draw_anew(line, len(without))
    e.set_lines(lines)
    return e


def bundles(answers):
    """An evaluation, and what it was made from, to be put into a store."""
    suite = honest.suite()
    generation = honest.generation(suite.id(), answers)
    submission = honest.extracted(generation, answers)
    return evaluation(suite, submission, answers), generation, submission
