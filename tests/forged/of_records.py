"""Forgeries of records: members, values, lines, files."""

import copy

from bend import FORGED, of_line, of_lines, of_record, rechained, replace, \
    set_to
from honest import LINES, SCORES, canonical, count_statuses, digest
from of_ancestors import STORE

# --- the record ------------------------------------------------------------

KINDS = ["suite", "submission", "baseline cpu", "evaluation cpu", "score cpu",
         "audit"]


def members(w):
    """Every member of every record gone; one more; another kind."""
    for name in KINDS:
        for member in sorted(w.made[name].record):
            # As if it had been made where the submission was not.
            if (name, member) == ("score cpu", "model"):
                continue
            yield "%s without %s" % (name, member), w.edited(
                name, of_record(lambda r, m=member: r.pop(m)))
        yield "%s with a member more" % name, w.edited(
            name, of_record(set_to("yes", "verified")))
        for kind in ("nonsense", "score" if name != "score cpu" else "suite"):
            yield "%s as a %s" % (name, kind), w.edited(
                name, of_record(set_to(kind, "kind")))


def line_members(w):
    """Every member of a line gone; and what none may be."""
    for name, index, member in (("evaluation cpu", 0, LINES),
                                ("baseline cpu", 0, LINES),
                                ("audit", 0, LINES),
                                ("score cpu", 0, SCORES)):
        for key in sorted(w.made[name].lines(member)[index]):
            if name == "score cpu" and key in ("candidate_low_ns",):
                continue
            yield "%s: a line without %s" % (name, key), w.edited(
                name, of_line(index, lambda x, k=key: x.pop(k), member))
        yield "%s: a line with a member more" % name, w.edited(
            name, of_line(index, set_to(1, "bonus"), member))


def values(w):
    """Values out of range, or that contradict each other."""
    e, b = "evaluation cpu", "baseline cpu"
    of_first = [
        (e, "status", "excellent"), (e, "status", "Correct"),
        (e, "status", "timed"), (e, "status", "missing"),
        (b, "status", "correct"), (b, "status", "fast"),
        (e, "level", 0), (e, "level", 100), (e, "level", 2),
        (e, "problem_id", 0), (e, "problem_id", 1000000), (e, "key", "01/1"),
        (e, "key", "1/2"), (e, "sample_id", -1), (e, "sample_id", 1000000),
        (e, "wall_ns", -1), (e, "exit_status", 0), (e, "exit_status", 256),
        (e, "signal", "SIGSEGV"), (e, "phase", "sleep"), (e, "phase", "build"),
        (e, "candidate_sha256", None), (e, "candidate_sha256", "0" * 63),
        (e, "candidate_sha256", "A" * 64), (e, "trial_seeds", ["0" * 63]),
        (e, "trial_seeds", "none"), (e, "detail", ""), (b, "mode", "compiled"),
        (b, "mode", "cudagraphs"), (b, "timing", None), (e, "log_truncated", 0),
    ]
    for name, member, value in of_first:
        yield "%s: %s %r" % (name, member, value), w.edited(
            name, of_line(0, set_to(value, member)))
    for member, value in (("n_small", 0), ("n_small", 12), ("n_large", 3),
                          ("n_large", 1000000001), ("clock", "device"),
                          ("time_ns", 0), ("time_ns", -402000),
                          ("small_ns", []), ("large_ns", []),
                          ("small_ns", None), ("small_ns", [-1] * 5),
                          ("basis", "luck"), ("basis", "one_call"),
                          ("basis", None), ("stop_reason", "boredom"),
                          ("low_ns", 1),
                          ("one_call_ns", [1]), ("alone_ns", [1]),
                          ("n_one_call", 0), ("n_one_call", None),
                          ("device_ns", "1"), ("basis", "device"),
                          ("copy_in_small_ns", 5),
                          ("copy_in_one_call_ns", 5)):
        yield "a timing with %s %r" % (member, value), w.edited(
            b, of_line(0, set_to(value, "timing", member)))
    for member, value in (("low_ns", None), ("high_ns", 1),
                          ("low_ns", 2 ** 53), ("basis", "one_call"),
                          ("copy_in_small_ns", None),
                          ("copy_in_large_ns", -1), ("alone_ns", [1, 2])):
        yield "a timing of the device with %s %r" % (member, value), \
            w.edited("baseline cuda", of_line(
                0, set_to(value, "device_timing", "timing", member)))
    for member, value in (("repeated", -1), ("not_queueable", "no"),
                          ("timing", None), ("control_before_ns", 0)):
        yield "a device timing with %s %r" % (member, value), w.edited(
            "baseline cuda", of_line(0, set_to(value, "device_timing",
                                               member)))
    for member, value in (("mode", "eager "), ("problems", []),
                          ("problems", ["1/1", "1/1", "1/3", "2/1"]),
                          ("problems", ["1/2", "1/1", "1/3", "2/1"]),
                          ("match_key", {"device.kind": 1}),
                          ("policy", {"trials": [5]}), ("options", [])):
        yield "a baseline with %s %s" % (member, canonical(value).decode()), \
            w.edited(b, of_record(set_to(value, member)))
    for counts in ({"correct": 3}, {"correct": 2, "crashed": 1, "missing": 1},
                   {"correct": 2, "crashed": 0, "mismatch": 1, "missing": 1},
                   {"correct": 2, "crashed": 1, "mismatch": 1, "missing": 1,
                    "splendid": 1}, {}):
        yield "status_counts %s" % canonical(counts).decode(), w.edited(
            e, of_record(set_to(counts, "status_counts")))
    yield "a section of the environment less", w.edited(
        e, of_record(lambda r: r["environment"].pop("isolation")))
    yield "a GPU on a CPU", w.edited(
        e, of_record(set_to({"name": "H200"}, "environment", "gpu")))
    for texts in ([], ["GPU-0"], ["GPU-1: Xid 79"], ["GPU-0: "],
                  ["GPU-0: Xid 79", "GPU-0: Xid 79"], "GPU-0: Xid 79", 1,
                  {"unavailable": "no"}):
        yield "GPUs taken out: %s" % canonical(texts).decode(), w.edited(
            "evaluation cuda", of_record(set_to(
                texts, "environment", "gpu", "taken_out")))


# --- lines -----------------------------------------------------------------

def lines(w):
    """Lines taken away, doubled, moved, by someone who is not careful."""
    for name, member in (("evaluation cpu", LINES), ("baseline cpu", LINES),
                         ("score cpu", SCORES), ("audit", LINES)):
        count = len(w.made[name].lines(member))
        for i in (0, count - 1):
            yield "%s: line %d removed" % (name, i + 1), w.edited(
                name, of_lines(lambda x, i=i: x.pop(i), member))
        yield "%s: line 1 twice" % name, w.edited(
            name, of_lines(lambda x: x.insert(0, x[0]), member))
        yield "%s: lines 1 and 2 exchanged" % name, w.edited(
            name, of_lines(lambda x: x.insert(0, x.pop(1)), member))
        yield "%s: an empty line" % name, w.edited(
            name, replace(member, b"\n", b"\n\n"))
        yield "%s: the last line does not end" % name, w.edited(
            name, lambda b, m=member: b.files.update(
                {m: b.files[m][:-1]}))
        yield "%s: carriage returns" % name, w.edited(
            name, replace(member, b"\n", b"\r\n", -1))


def drop(key, sample):
    """A line less, and everything in the record that could tell."""
    def apply(b):
        x = [line for line in b.lines()
             if (line["key"], line["sample_id"]) != (key, sample)]
        record = b.record
        record["status_counts"] = count_statuses(x)
        record["problems"] = [p for p in record["problems"]
                              if any(line["key"] == p for line in x)]
        b.record = record
        b.set_lines(x)
    return apply


def dropped(w):
    """Failures dropped so that the record agrees with itself."""
    for device in ("cpu", "cuda"):
        name = "evaluation " + device
        for key, sample in (("1/1", 1), ("1/3", 0), ("2/1", 0)):
            yield "%s sample %d of %s" % (key, sample, name), w.edited(
                name, drop(key, sample))

    def missing(b):
        x = b.lines()
        x[3].update(status="missing", phase=None, signal=None,
                    candidate_sha256=None)
        record = b.record
        record["status_counts"] = {"correct": 2, "mismatch": 1, "missing": 2}
        b.record = record
        b.set_lines(x)
    yield "a crash called missing", w.edited("evaluation cpu", missing)

    def invented(b):
        x = b.lines()
        better = dict(copy.deepcopy(x[2]), sample_id=1, trial_seeds=[
            digest(s.encode()) for s in x[2]["trial_seeds"]])
        x.insert(3, better)
        record = b.record
        record["status_counts"]["correct"] += 1
        b.record = record
        b.set_lines(x)
    yield "a candidate that was never submitted", w.edited(
        "evaluation cpu", invented)
    for i in (0, 1, 2, 3):
        yield "another file as candidate %d" % i, w.edited(
            "evaluation cpu", of_line(i, set_to("5a" * 32,
                                                "candidate_sha256")))
    for name in ("baseline cpu", "audit"):
        def fewer(b):
            record, x = b.record, b.lines()
            x.pop()
            record["problems"].pop()
            record["options"].pop("problems", None)
            b.record = record
            b.set_lines(x)
        yield "the last problem of %s" % name, w.edited(name, fewer)

    def under(**options):
        """The last problem gone, and options that should explain it."""
        def apply(b):
            record, x = b.record, b.lines()
            gone = record["problems"].pop()
            x = [line for line in x if line["key"] != gone]
            if "status_counts" in record:
                record["status_counts"] = count_statuses(x)
            record["options"].pop("problems", None)
            record["options"].update(options)
            b.record = record
            b.set_lines(x)
        return apply
    for name in ("baseline cpu", "evaluation cpu", "evaluation cuda",
                 "audit"):
        for options in ({"levels": "1,2"}, {"problems": ""},
                        {"problems": "2/1"}, {"problems": "1/1"},
                        {"levels": "2"}, {"levels": "7"},
                        {"problems": "1/1,1/2,1/3", "levels": "2"},
                        {"problems": "all"}):
            yield "the last problem of %s under %s" % (
                name, canonical(options).decode()), w.edited(
                    name, under(**options))
    for name in ("baseline cpu", "evaluation cpu"):
        for options in ({"levels": "1"}, {"problems": "1/1"},
                        {"problems": "1/1,1/2,1/3", "levels": "1,2"},
                        {"problems": "sound"}):
            yield "all problems of %s under %s" % (
                name, canonical(options).decode()), w.edited(
                    name, of_record(lambda r, o=options:
                                    r["options"].update(o)))

    def without(key):
        """The sound problems but this one."""
        def apply(b):
            record = b.record
            record["options"]["problems"] = "sound"
            for gone in (key, "2/1"):
                record["problems"].remove(gone)
            x = [line for line in b.lines()
                 if line["key"] in record["problems"]]
            if "status_counts" in record:
                record["status_counts"] = count_statuses(x)
            b.record = record
            b.set_lines(x)
        return apply
    for name in ("baseline cpu", "evaluation cpu"):
        yield "a sound problem of %s" % name, w.edited(name, without("1/3"))

    def unknown(b):
        record, x = b.record, b.lines()
        record["problems"][-1] = x[-1]["key"] = "2/9"
        x[-1]["problem_id"] = 9
        b.record = record
        b.set_lines(x)
    yield "a problem that the suite does not have", w.edited(
        "baseline cpu", unknown)


# --- audits, suites, submissions -------------------------------------------

def audits(w):
    name = "audit"
    for i, count in ((0, 3), (1, 2)):
        for k in range(count):
            yield "finding %d of line %d removed" % (k + 1, i + 1), w.edited(
                name, of_line(i, lambda x, k=k: x["findings"].pop(k)))
            yield "words of finding %d of line %d" % (k + 1, i + 1), \
                w.edited(name, of_line(i, set_to("trust me", "findings", k,
                                                 "evidence")))
    yield "a finding more", w.edited(name, of_line(
        0, lambda x: x["findings"].append(
            {"finding": "not_finite", "evidence": "1 of 1024"})))
    yield "findings in another order", w.edited(
        name, of_line(0, lambda x: x["findings"].reverse()))
    yield "called sound", w.edited(name, of_line(0, set_to(True, "sound")))
    yield "called unsound", w.edited(name, of_line(1, set_to(False,
                                                             "sound")))
    output = ("evidence", "stated", "outputs", 0)
    for member, value in (("identity", None), ("finite", 1023),
                          ("elements", 1), ("dtype", "complex64")):
        yield "evidence: %s %r" % (member, value), w.edited(
            name, of_line(0, set_to(value, *output, member)))
    for tolerance in ("paper", "precise", "generous"):
        yield "policy: tolerance %s" % tolerance, w.edited(
            name, of_record(set_to(tolerance, "policy", "tolerance")))


def packed(w):
    """Files of a suite or a submission, against their records."""
    for name, member, array in (
            ("suite", "data/problems/level1/1_Product.py", "problems"),
            ("submission", "data/candidates/level1/problem1/sample0.py",
             "candidates")):
        def edit_file(b, member=member):
            b.files[member] += b"# easier\n"
        yield "%s: a file edited" % name, w.edited(name, edit_file)
        yield "%s: a file gone" % name, w.edited(
            name, lambda b, m=member: b.files.pop(m))
        yield "%s: a file more" % name, w.edited(
            name, lambda b: b.files.update({"data/more.py": b"pass\n"}))
        yield "%s: a file renamed" % name, w.edited(
            name, lambda b, m=member: b.files.update(
                {m + "x": b.files.pop(m)}))
        for field, value in (("sha256", "5a" * 32), ("size_bytes", 1),
                             ("runtime", "native"), ("file", "data/x.py"),
                             ("level", 3), ("problem_id", 0)):
            yield "%s: %s %r" % (name, field, value), w.edited(
                name, of_record(set_to(value, array, 0, field)))
        yield "%s: entries exchanged" % name, w.edited(
            name, of_record(lambda r, a=array: r[a].insert(0, r[a].pop(1))))
        yield "%s: an entry twice" % name, w.edited(
            name, of_record(lambda r, a=array: r[a].insert(0, r[a][0])))
        yield "%s: no entries" % name, w.edited(
            name, of_record(set_to([], array)))
    facts = ("problems", 0, "facts")
    for path, value in ((("bytes_min", "fp32"), 1), (("flops",), -1),
                        (("inputs", 0, "shape"), [1 << 40, 1 << 40]),
                        (("inputs", 0, "dtype"), "float7"),
                        (("outputs",), []),
                        (("outputs", 0, "shape"), [16384, 16384]),
                        (("requires", "device_bytes"), 1),
                        (("parameters", "count"), 7),
                        (("tags",), ["b", "a"]),
                        (("audit", "sound"), False),
                        (("audit", "device"), ""),
                        (("audit", "findings"), [{"finding": "zero_output",
                                                  "evidence": "x"}])):
        yield "facts: %s %s" % (".".join(map(str, path)),
                                canonical(value).decode()), w.edited(
            "suite", of_record(set_to(value, *facts, *path)))
    for member, value in (("temperature", "hot"), ("temperature", "-1"),
                          ("date", "yesterday"), ("prompt_sha256", "x"),
                          ("source_format", "mail"), ("max_tokens", 0),
                          ("samples_per_problem", 0)):
        yield "submission: %s %r" % (member, value), w.edited(
            "submission", of_record(set_to(value, member)))


# --- what a submitter claims --------------------------------------------------

def claims(w):
    """One sample of a problem that has two, and probabilities above 1."""
    def scored(edit, of):
        def forge():
            bundles = rechained({name: w.made[name] for name in (
                "suite", "submission", "evaluation cpu", "baseline cpu",
                "score cpu")}, "submission", edit)
            for b in bundles.values():
                b.write(STORE / b.id())
            bundles[of].write(FORGED)
            return ["--store", STORE, FORGED]
        return forge
    for of in ("submission", "evaluation cpu", "score cpu"):
        for member, value in (("samples_per_problem", 1), ("top_p", "1.5"),
                              ("top_p", "9" * 32)):
            yield "%s %s: %s" % (member, value, of), scored(
                of_record(set_to(value, member)), of)
