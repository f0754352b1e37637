"""Twelve submissions of 250 problems, and their scores by one baseline: real in
form and made up in times, by tests/forged/honest.py, so that all of them verify.
Two are of another GPU, and so are not ranked beside the others."""

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent /
                       "forged"))
sys.dont_write_bytecode = True
import honest  # noqa: E402

COUNT = 12
LEVELS = {1: 100, 2: 100, 3: 50}
KEYS = [f"{level}/{n}" for level in LEVELS for n in
        range(1, LEVELS[level] + 1)]
ORGANIZATIONS = ["Alpha Lab", "Beta Works", "Gamma, Inc.", "Delta & Söhne"]
MISSING = "2/1"         # honest.evaluation() has no candidate for it


def use_problems():
    honest.timing = honest.spread_out
    honest.PROBLEMS = {
        key: (f"{key.split('/')[1]}_Problem", honest.facts(
            [honest.SQUARE], honest.SQUARE, 4096 ** 2, "activation",
            honest.audit())) for key in KEYS}
    honest.NOT_QUEUEABLE = None
    chance = random.Random(0)
    honest.REFERENCE_NS = dict(zip(KEYS, chance.sample(range(60000, 900000),
                                                       len(KEYS))))


def use_candidates(chance, skill):
    """One a problem, better ones faster and more often right. No two times are
    equal, as their samples would be, which kb-verify refuses."""
    taken = set(honest.REFERENCE_NS.values())
    honest.CANDIDATES = []
    honest.CANDIDATE_NS = {}
    for key in KEYS:
        if key == MISSING:
            continue
        draw = chance.random()
        status = "correct" if draw < skill else \
            "mismatch" if draw < skill + 0.2 else "crashed"
        honest.CANDIDATES.append((key, 0, status))
        time_ns = max(40000, int(
            honest.REFERENCE_NS[key] / (skill * chance.lognormvariate(0.3, .6))))
        while time_ns in taken:
            time_ns += 1
        taken.add(time_ns)
        honest.CANDIDATE_NS[key] = time_ns
    honest.ONE_CALL_NS = honest.CANDIDATE_NS


def evaluation(suite_id, submission_id):
    e = honest.evaluation(suite_id, submission_id, "cuda")
    e.set_lines(sorted(e.lines(), key=lambda line: (
        line["level"], line["problem_id"], line["sample_id"])))
    return e


def other_gpu(bundle):
    """The same on a device with less memory."""
    record = bundle.record
    record["environment"]["gpu"]["memory_bytes"] -= 1 << 30
    record["match_key"] = honest.match_key(record["environment"],
                                           record["policy"])
    bundle.record = record
    return bundle


def put(store, bundle):
    bundle.write(store / bundle.id())
    return bundle.id()


def make(store):
    """[(evaluation, baseline)] in the store, as ids."""
    use_problems()
    suite = put(store, honest.suite())
    base = honest.baseline(suite, "cuda")
    bases = put(store, base), put(store, other_gpu(base.copy()))
    pairs = []
    for i in range(COUNT):
        use_candidates(random.Random(1 + i), 0.35 + 0.05 * i)
        submission = honest.submission()
        record = submission.record
        record.update(display_name=f"Model {i + 1}", model=f"model-{i + 1}",
                      organization=ORGANIZATIONS[i % len(ORGANIZATIONS)])
        submission.record = record
        e = evaluation(suite, put(store, submission))
        is_other = i >= COUNT - 2
        pairs.append((put(store, other_gpu(e) if is_other else e),
                      bases[is_other]))
    return pairs
