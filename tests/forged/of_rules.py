"""Forgeries that contradict the rules by which stages measure: when trials end,
how many calls a batch has, what copying in takes; and facts that are told
twice."""

import random

from bend import FORGED, of_line, of_lines, of_record, rechained, set_to
from honest import (ISOLATION, ON_CUDA, add_one_call, copy_in, decide,
                    match_key, slopes, tell_device_ns)
from of_ancestors import STORE
from told import MORE

CUDA = ("evaluation cuda", "baseline cuda")
CORRECT = (0, 2)                # lines of an evaluation with device times


# --- told twice --------------------------------------------------------------

def keyed(edit):
    """An edit of a record, and the match key that follows from it."""
    def apply(r):
        edit(r)
        r["match_key"] = match_key(r["environment"], r["policy"])
    return of_record(apply)


OTHER = {"precision": ("bf16", "fp16"), "tf32": ("on", "torch"),
         "deterministic": ("on",)}


def twice(w):
    """One side of a pair bent, with all that follows from that side."""
    for name in CUDA:
        for fact in ON_CUDA:
            for value in OTHER[fact]:
                yield "policy and option: %s %s of %s" % (
                    fact, value, name), w.edited(name, of_record(
                        lambda r, f=fact, v=value: (r["policy"].update({f: v}),
                                                    r["options"].update(
                                                        {f: v}))))
                yield "torch and match key: %s %s of %s" % (
                    fact, value, name), w.edited(name, keyed(
                        lambda r, f=fact, v=value: r["environment"][
                            "torch"].update({f: v})))


def as_another_type(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return 7 if isinstance(value, str) else None


def types(w):
    """The same text in another type, and what can always be had called
    unavailable."""
    for name in CUDA + ("evaluation cpu",):
        sections = w.made[name].record["environment"]
        for section in sections:
            facts = dict(sections[section], **MORE.get(section, {}))
            for fact, value in facts.items():
                other = as_another_type(value)
                if other is None or section == "isolation" or \
                        fact == "kind" or (section, fact) == ("torch", "x"):
                    continue
                yield "%s.%s as %r: %s" % (section, fact, other, name), \
                    w.edited(name, keyed(
                        lambda r, s=section, f=fact, v=other:
                        r["environment"][s].update({f: v})))
    for fact in ("name", "compute_capability", "multiprocessors",
                 "memory_bytes"):
        for name in CUDA:
            yield "gpu.%s unavailable: %s" % (fact, name), w.edited(
                name, keyed(lambda r, f=fact: r["environment"]["gpu"].update(
                    {f: {"unavailable": "nobody says"}})))
    for fact in ON_CUDA:
        yield "torch.%s unavailable" % fact, w.edited(
            "evaluation cuda", keyed(lambda r, f=fact: r["environment"][
                "torch"].update({f: {"unavailable": "nobody says"}})))
    for date in ("2026-02-30T12:00:00Z", "2026-11-21", "2026-11-21T24:00:00Z"):
        yield "os.begun_utc %s" % date, w.edited(
            "evaluation cpu", keyed(lambda r, d=date: r["environment"][
                "os"].update({"begun_utc": d})))
    for fact in ("machine", "page_bytes", "libc"):
        yield "os.%s unavailable" % fact, w.edited(
            "evaluation cpu", keyed(lambda r, f=fact: r["environment"][
                "os"].update({f: {"unavailable": "nobody says"}})))


def isolation(w):
    """What confined candidates, and what is said to have."""
    def under(mode, edit):
        def apply(r):
            if mode != "standard":
                r["policy"]["sandbox"] = mode
            r["options"]["sandbox"] = mode
            edit(r["environment"]["isolation"])
        return of_record(apply)

    for name in ("evaluation cpu", "baseline cuda"):
        for means in ISOLATION:
            if means != "other_user":
                yield "strict without %s: %s" % (means, name), w.edited(
                    name, under("strict", set_to(False, means)))
            if not means.startswith("cgroup"):
                yield "off with %s: %s" % (means, name), w.edited(
                    name, under("off", lambda v, m=means: v.update(
                        {k: k == m for k in v})))
            yield "%s as text: %s" % (means, name), w.edited(
                name, under("standard", set_to("true", means)))
        yield "off with all: " + name, w.edited(
            name, under("off", lambda v: None))
        for mode in ("strict", "standard", "off"):
            yield "%s, and an empty section: %s" % (mode, name), w.edited(
                name, under(mode, lambda v: v.clear()))
            yield "%s, and unavailable: %s" % (mode, name), w.edited(
                name, under(mode, lambda v: (v.clear(), v.update(
                    unavailable="nobody says"))))


FIXED = {"batch_min_ns": (1, 10 ** 9), "batch_calls_max": (12, 10 ** 9),
         "one_call_pairs": (11, 13), "one_call_pairs_max": (20, 10 ** 6),
         "alone_runs": (0, 4)}


def fixed(w):
    """What no option changes."""
    for member, values in FIXED.items():
        for value in values:
            for name in ("evaluation cuda", "baseline cuda", "evaluation cpu"):
                if member == "alone_runs" and name.endswith("cpu") or \
                        (member, value, name) == ("one_call_pairs", 11,
                                                  "evaluation cpu"):
                    continue
                yield "%s %d of %s" % (member, value, name), w.edited(
                    name, of_record(set_to(value, "policy", member)))
    for member, option in (("run_timeout_ns", "timeout"),
                           ("build_timeout_ns", "build-timeout"),
                           ("output_pool_bytes", "output-pool-mib"),
                           ("budget_ns", "budget"),
                           ("interval_ppm", "interval-ppm")):
        yield "%s 0, and so the option" % member, w.edited(
            "evaluation cuda", of_record(lambda r, m=member, o=option: (
                r["policy"].update({m: 0}), r["options"].update({o: "0"}))))


# --- stopping, batches, copies -----------------------------------------------

def timings(line):
    for call, device in (("timing", "device_timing"),
                         ("reference_timing", "reference_device_timing")):
        if line.get(call):
            yield line[call]
        if line.get(device) and line[device]["timing"]:
            yield line[device]["timing"]


def again(line):
    """All times of a line, from its samples."""
    for call, device in (("reference_timing", "reference_device_timing"),
                         ("timing", "device_timing")):
        of, beside = ((line.get(device) or {}).get("timing"),
                      line.get("reference_" + device))
        if of:
            decide(of, beside and beside["timing"])
    for call, device in (("reference_timing", "reference_device_timing"),
                         ("timing", "device_timing")):
        if line.get(call) and line.get(device):
            tell_device_ns(line[call], line[device],
                           line.get("reference_" + call))
        elif line.get(call):
            decide(line[call], line.get("reference_" + call))


def bent(w, name, i, edit):
    """Each timing of a line bent, and all times that follow."""
    def apply(line):
        for t in timings(line):
            edit(t)
        again(line)
    return w.edited(name, of_line(i, apply))


PLACES = [("evaluation cuda", i) for i in CORRECT] + [
    ("evaluation cuda", 4), ("baseline cuda", 0), ("baseline cuda", 1)]


def keep(t, which):
    for samples in ("small_ns", "large_ns"):
        t[samples] = [t[samples][i] for i in which]


def more(t, count):
    """As many trials as that, all as narrow."""
    r = random.Random(count)
    step = 8 * (t["n_large"] - t["n_small"])
    mine = slopes(t)
    middle = sorted(mine)[len(mine) // 2]
    for _ in range(count - len(mine)):
        small = r.choice(t["small_ns"]) + r.randrange(1, 12)
        t["small_ns"].append(small)
        t["large_ns"].append(small + (t["n_large"] - t["n_small"]) * middle +
                             r.randrange(-step, step))


def widen(t):
    """Every second slope a tenth longer: the interval is far too wide."""
    for i in range(0, len(t["large_ns"]), 2):
        t["large_ns"][i] += (t["large_ns"][i] - t["small_ns"][i]) // 10


def stopping(w):
    for name, i in PLACES:
        where = "line %d of %s" % (i + 1, name)
        for reason in ("budget", "trials"):
            yield "ended by %s, and narrow: %s" % (reason, where), bent(
                w, name, i, set_to(reason, "stop_reason"))
        yield "ended by interval, and wide: " + where, bent(w, name, i, widen)
        for count in (12, 40, 199):
            yield "%d trials, and narrow long before: %s" % (
                count, where), bent(w, name, i,
                                    lambda t, n=count: more(t, n))
        yield "the quickest trial left out: " + where, bent(
            w, name, i, lambda t: keep(t, sorted(range(len(
                t["small_ns"])), key=lambda k: slopes(t)[k])[1:]))


def batch(t, small, large):
    """The same slopes, of other batches."""
    mine = slopes(t)
    for i, slope in enumerate(mine):
        t["small_ns"][i] += (small - t["n_small"]) * slope
        t["large_ns"][i] = t["small_ns"][i] + (large - small) * slope
    t.update(n_small=small, n_large=large)
    if t["copy_in_small_ns"] is not None:
        t.update(copy_in_small_ns=copy_in(small),
                 copy_in_large_ns=copy_in(large))


def batches(w):
    for name, i in PLACES + [("evaluation cpu", 0), ("baseline cpu", 1)]:
        for small, large in ((5, 7), (3, 9), (4, 13), (1, 4), (0, 2), (0, 12),
                             (256, 768), (2, 5)):
            yield "%d and %d calls: line %d of %s" % (
                small, large, i + 1, name), bent(
                    w, name, i, lambda t, s=small, n=large: batch(t, s, n))


def copies(w):
    def moved(member, calls, by):
        """Copying in takes longer, and so much more is subtracted."""
        def edit(t):
            t["copy_in_" + member] += by
            samples = {"small_ns": ["small_ns"], "large_ns": ["large_ns"],
                       "one_call_ns": ["one_call_ns", "alone_ns"]}[member]
            for s in samples:
                t[s] = [v - by for v in t[s]]
        return edit

    def candidate_alone(i, edit):
        def apply(line):
            edit(line["device_timing"]["timing"])
            edit(line["timing"])
            again(line)
        return w.edited("evaluation cuda", of_line(i, apply))

    for i in CORRECT:
        where = "line %d" % (i + 1)
        for member, calls in (("small_ns", 4), ("large_ns", 12),
                              ("one_call_ns", 1)):
            for by in (1, 1000, 60000):
                yield "%d ns more of %s, of the candidate: %s" % (
                    by, member, where), candidate_alone(
                        i, moved(member, calls, by))
    for name, i in PLACES:
        where = "line %d of %s" % (i + 1, name)
        yield "of large batches far more: " + where, bent(
            w, name, i, moved("large_ns", 12, 2000000))
        yield "none: " + where, bent(w, name, i, lambda t: t.update(
            copy_in_small_ns=0, copy_in_large_ns=0, copy_in_one_call_ns=0))
        yield "days: " + where, bent(w, name, i, lambda t: t.update(
            copy_in_small_ns=9 * 10 ** 15, copy_in_large_ns=9 * 10 ** 15,
            copy_in_one_call_ns=9 * 10 ** 15))
        yield "less of more calls: " + where, bent(
            w, name, i, lambda t: t.update(copy_in_large_ns=copy_in(0) // 3))

    def tight(line):
        line["wall_ns"] = sum(sum(t["small_ns"]) + sum(t["large_ns"]) +
                              sum(t["one_call_ns"]) for t in timings(line))
        for d in ("device_timing", "reference_device_timing"):
            if line.get(d):
                line[d]["telemetry"]["samples"] = 1
    for name, i in PLACES:
        yield "wall_ns without them: line %d of %s" % (i + 1, name), w.edited(
            name, of_line(i, tight))


def alone(w):
    """What is known of the reference with no candidate alive."""
    def control(*members):
        return lambda x: x["reference_device_timing"].update(
            dict.fromkeys(members))

    for i in CORRECT:
        for members in (("control_before_ns",), ("control_after_ns",),
                        ("control_before_ns", "control_after_ns")):
            yield "no %s: line %d" % (" and ".join(members), i + 1), w.edited(
                "evaluation cuda", of_line(i, control(*members)))

        def reference(edit):
            def apply(line):
                edit(line["reference_device_timing"]["timing"])
                again(line)
            return w.edited("evaluation cuda", of_line(i, apply))
        yield "17 runs: line %d" % (i + 1), reference(
            lambda t: t.update(alone_ns=t["alone_ns"] * 2 +
                               t["alone_ns"][:1]))
        yield "all alike: line %d" % (i + 1), reference(
            lambda t: t.update(alone_ns=[t["alone_ns"][0]] * 8))
        for by in (100000, 3000000):
            yield "dear, as are runs beside: %d, line %d" % (by, i + 1), \
                reference(lambda t, b=by: t.update(
                    {k: [v + b for v in t[k]]
                     for k in ("one_call_ns", "alone_ns")}))


# --- samples -----------------------------------------------------------------

def noise(w):
    """Samples that nobody measured."""
    for name, i in (("evaluation cuda", 0), ("evaluation cuda", 2),
                    ("baseline cuda", 2)):
        where = "line %d of %s" % (i + 1, name)

        def nearly(t):
            for samples in ("small_ns", "large_ns"):
                t[samples] = [t[samples][0]] * (len(t[samples]) - 1) + [
                    t[samples][0] + 1]
        yield "all but one alike: " + where, bent(w, name, i, nearly)

        def half(t):
            count = len(t["small_ns"]) * 6 // 10
            for samples in ("small_ns", "large_ns"):
                t[samples][:count] = [t[samples][0]] * count
        yield "six in ten alike: " + where, bent(w, name, i, half)

        def in_order(t, down=False):
            widen(t)
            more(t, 200)
            t["stop_reason"] = "trials"
            keep(t, sorted(range(len(t["small_ns"])), reverse=down,
                           key=lambda k: slopes(t)[k]))
        yield "in order: " + where, bent(w, name, i, in_order)
        yield "in order, falling: " + where, bent(
            w, name, i, lambda t: in_order(t, True))

    def formula(line, edit):
        for own, beside in (("timing", "reference_timing"),
                            ("device_timing", "reference_device_timing")):
            t, r = line[own], line[beside]
            if own.startswith("device"):
                t, r = t["timing"], r["timing"]
            for samples in ("small_ns", "large_ns"):
                t[samples] = [edit(v, r["n_" + samples[:5]])
                              for v in r[samples]]
        again(line)
    for i in CORRECT:
        for what, edit in (
                ("19 in 20", lambda v, n: v * 19 // 20),
                ("a third less", lambda v, n: v * 2 // 3),
                ("20 us a call less", lambda v, n: v - 20000 * n),
                ("half, rounded", lambda v, n: v // 2 // 16 * 16)):
            yield "%s of the reference's: line %d" % (what, i + 1), w.edited(
                "evaluation cuda", of_line(i, lambda x, e=edit: formula(x, e)))

    def lent(lines, members, of, to):
        for m in members:
            lines[to][m] = lines[of][m]
        again(lines[to])
    own = ("timing", "device_timing")
    both = own + ("reference_timing", "reference_device_timing")
    for members in (own, both, both[2:]):
        for of, to in ((0, 2), (2, 0)):
            yield "%s of line %d for line %d" % (
                ", ".join(members), of + 1, to + 1), w.edited(
                    "evaluation cuda", of_lines(
                        lambda x, m=members, a=of, b=to: lent(x, m, a, b)))
    yield "a baseline's of line 1 for line 2", w.edited(
        "baseline cuda", of_lines(lambda x: lent(x, own, 0, 1)))
    for count in (2, 5):
        yield "seeds that begin alike, %d bytes differ" % count, w.edited(
            "evaluation cpu", of_line(0, lambda x, n=count: x.update(
                trial_seeds=["%064x" % (i + 1) for i in range(len(
                    x["trial_seeds"]))] if n == 2 else
                [x["trial_seeds"][0][:16] + s[16:]
                 for s in x["trial_seeds"]])))


def steps(w):
    """Samples of a coarser clock than the others have."""
    def rounded(to):
        def edit(t):
            for samples in ("small_ns", "large_ns"):
                t[samples] = [v // to * to for v in t[samples]]
        return edit

    def of_one_clock(name, i, member, edit):
        def apply(line):
            edit(line[member]["timing"] if "device" in member else
                 line[member])
            again(line)
        return w.edited(name, of_line(i, apply))

    for name, i in (("evaluation cuda", 0), ("evaluation cuda", 2),
                    ("baseline cuda", 2)):
        for to in (100, 1000, 1024):
            yield "multiples of %d ns: line %d of %s" % (
                to, i + 1, name), bent(w, name, i, rounded(to))
    for member in ("timing", "device_timing", "reference_timing",
                   "reference_device_timing"):
        yield "multiples of 1000 ns, of %s alone" % member, of_one_clock(
            "evaluation cuda", 0, member, rounded(1000))


def readings_low(w):
    """A device that was hardly at work, or asked more often than it can be."""
    for member, value in (("sm_clock_mhz_max", 1), ("sm_clock_mhz_max", 99),
                          ("memory_clock_mhz_max", 1),
                          ("temperature_c_max", 0), ("power_mw_max", 0),
                          ("power_mw_max", 999), ("samples", 1002),
                          ("samples", 5 * 10 ** 12)):
        for d in ("device_timing", "reference_device_timing"):
            def edit(x, m=member, v=value, d=d):
                t = x[d]["telemetry"]
                t[m] = v
                low = m.replace("_max", "_min")
                if low in t and low != m:
                    t[low] = min(t[low], v)
            yield "%s %d of %s" % (member, value, d), w.edited(
                "evaluation cuda", of_line(0, edit))


def readings_of(members, **values):
    """Of a line: the readings of these timings."""
    def edit(x):
        for d in members:
            x[d]["telemetry"].update(values)
    return edit


def clocks_told(w):
    """A clock so low that a page's bound is near the time."""
    own, beside = "device_timing", "reference_device_timing"
    for mhz in (345, 659):
        for members in ((own,), (beside,), (own, beside)):
            yield "%d MHz of %s" % (mhz, " and ".join(members)), w.edited(
                "evaluation cuda", of_line(2, readings_of(
                    members, sm_clock_mhz_min=mhz, sm_clock_mhz_max=mhz)))
        yield "%d MHz of a baseline" % mhz, w.edited(
            "baseline cuda", of_line(2, readings_of(
                (own,), sm_clock_mhz_min=mhz, sm_clock_mhz_max=mhz)))
    yield "345 MHz at the cap, of a tenth of its power", w.edited(
        "evaluation cuda", of_line(2, readings_of(
            (own, beside), sm_clock_mhz_min=345, sm_clock_mhz_max=345,
            reasons=4, power_mw_max=70000)))
    for mhz in (1000, 1583):
        for d in (own, beside):
            yield "%d MHz, and 1980 MHz beside it: %s" % (mhz, d), w.edited(
                "evaluation cuda", of_line(2, readings_of(
                    (d,), sm_clock_mhz_min=mhz, sm_clock_mhz_max=mhz)))


# --- outcomes ----------------------------------------------------------------

def endings(w):
    """What a status needs."""
    def failed(i, **more):
        def edit(x):
            x.update(dict(timing=None, reference_timing=None, outputs=None,
                          signal=None, exit_status=None, log=""), **more)
            for m in ("device_timing", "reference_device_timing"):
                x.pop(m, None)
            if "alternate_inputs" in x:
                x["alternate_inputs"] = dict(
                    x["alternate_inputs"], trials=0, outputs=None,
                    trial_seeds=[], fp64_reference_error=None)
        return edit

    def counted(name, i, edit):
        def apply(b):
            of_line(i, edit)(b)
            counts = {}
            for line in b.lines():
                counts[line["status"]] = counts.get(line["status"], 0) + 1
            of_record(set_to(counts, "status_counts"))(b)
        return w.edited(name, apply)

    for name in ("evaluation cpu", "evaluation cuda"):
        # The least limits: of a call 10 s, on a device 5 s.
        for phase, wall_ns in (("run", 4 * 10 ** 9), ("run", 10 ** 6),
                               ("build", 8 * 10 ** 9),
                               ("load", 7 * 10 ** 9)):
            yield "timed out in %s after %d ns: %s" % (
                phase, wall_ns, name), counted(name, 0, failed(
                    0, status="timed_out", phase=phase, wall_ns=wall_ns,
                    trial_seeds=["%064x" % (7 << 200)]))
        yield "ended for what it printed, and nothing is there: " + name, \
            counted(name, 0, failed(0, status="output_limit", phase="run",
                                    trial_seeds=["%064x" % (7 << 200)]))
    for status, phase in (("build_failed", "build"), ("load_failed", "load"),
                          ("crashed", "load"), ("exited", "build")):
        more = {"signal": "SIGSEGV"} if status == "crashed" else {
            "exit_status": 1} if status == "exited" else {}
        yield "%s in %s, after runs" % (status, phase), counted(
            "evaluation cpu", 0, failed(0, status=status, phase=phase, **more))


def tolerance(w):
    """Errors beside what the policy allows of the outputs' size."""
    for name in ("evaluation cpu", "evaluation cuda"):
        for error in ("1", "0.5", "1e+30", "5"):
            yield "correct, and off by %s: %s" % (error, name), w.edited(
                name, of_line(0, lambda x, e=error: x["outputs"][0].update(
                    max_abs_error=e, rms_error="0")))
        yield "correct, off by nothing and by much of it: " + name, w.edited(
            name, of_line(0, lambda x: x["outputs"][0].update(
                max_abs_error="0", rms_error="0", max_rel_error="5")))
        yield "alternate inputs, off by much: " + name, w.edited(
            name, of_line(4, lambda x: x["alternate_inputs"].update(
                outputs=[dict(x["alternate_inputs"]["outputs"][0],
                              max_abs_error="0.5", rms_error="0")],
                fp64_reference_error=x["fp64_reference_error"])))


# --- lists -------------------------------------------------------------------

def lists(w):
    """Longer than any host makes them: nobody searches these."""
    def many(r):
        r["environment"]["gpu"]["uuids"] = ["GPU-%d" % i for i in range(1025)]
    yield "1025 GPUs", w.edited("evaluation cuda", of_record(many))
    yield "1025 GPUs that were taken out", w.edited(
        "evaluation cuda", of_record(lambda r: r["environment"]["gpu"].update(
            taken_out=["GPU-0: reason %d" % i for i in range(1025)])))
    yield "65 sizes of a problem", w.edited("derived", of_record(
        lambda r: r.update(sizes=sorted((
            dict(r["sizes"][0], constant="c%02d" % i) for i in range(65)),
            key=lambda s: s["constant"]))))


# --- a score's parents beside each other -------------------------------------

def beside(w):
    """What evaluation and baseline both say of the reference."""
    def times_as_far(by):
        def edit(lines):
            for line in lines:
                for x in ((line.get("fp64_reference_error") or {}).get(
                        "outputs") or ()):
                    for m in ("max_abs_error", "rms_error"):
                        x[m] = "%.9g" % (float(x[m]) * by)
        return of_lines(edit)

    def scored(of, edit):
        def forge():
            bundles = rechained(
                {name: w.made[name] for name in (
                    "suite", "submission", "evaluation cuda",
                    "baseline cuda", "score cuda")}, of, edit)
            for b in bundles.values():
                b.write(STORE / b.id())
            bundles["score cuda"].write(FORGED)
            return ["--store", STORE, FORGED]
        return forge
    for of in ("evaluation cuda", "baseline cuda"):
        for by in (1000, 10, 0.01):
            yield "errors %g times as large: %s" % (by, of), scored(
                of, times_as_far(by))


def model(w):
    """A score whose model was taken out."""
    def forge():
        s = w.made["submission"].copy()
        of_record(set_to("model-1", "model"))(s)
        bundles = rechained(
            {name: w.made[name] for name in (
                "suite", "submission", "evaluation cpu", "baseline cpu")},
            "submission", lambda b: b.files.update(s.files))
        for b in bundles.values():
            b.write(STORE / b.id())
        score = w.score(bundles["evaluation cpu"], bundles["baseline cpu"],
                        STORE)
        of_record(lambda r: r.pop("model"))(score)
        score.write(FORGED)
        return ["--store", STORE, FORGED]
    yield "taken out", forge


# --- names and counts that no program writes ---------------------------------

def unwritten(w):
    for name in ("evaluation cpu", "baseline cuda"):
        for option in ("", "__proto__", "Trials", "-x", "a b", "x" * 65):
            yield "an option called %r: %s" % (option, name), w.edited(
                name, of_record(set_to("1", "options", option)))
        yield "an option of a megabyte: " + name, w.edited(
            name, of_record(set_to("x" * (1 << 20), "options", "python")))


def slower_device(w):
    """Fewer SMs, or a lower clock, than the product of 1/1 needs."""
    for mhz in (100, 300):
        yield "%d MHz" % mhz, w.edited("evaluation cuda", of_line(
            0, lambda x, m=mhz: x["device_timing"]["telemetry"].update(
                sm_clock_mhz_max=m, sm_clock_mhz_min=m)))
    for count in (1, 12):
        for name in CUDA:
            yield "%d SMs: %s" % (count, name), w.edited(name, keyed(
                lambda r, n=count: r["environment"]["gpu"].update(
                    multiprocessors=n)))
