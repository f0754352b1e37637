"""Forgeries of times: claimed, or made up."""

import pathlib

from bend import FORGED, of_line, of_lines, set_to
from honest import device_timing, median, slopes, timing

# --- times -----------------------------------------------------------------

def claimed_times(w):
    """Times that do not follow from their samples, by either clock."""
    places = [("baseline cpu", i, ("timing",)) for i in range(4)]
    places += [("evaluation cpu", i, (t,)) for i in (0, 2)
               for t in ("timing", "reference_timing")]
    places += [("evaluation cuda", 0, (t,))
               for t in ("timing", "reference_timing")]
    places += [("baseline cuda", 0, ("device_timing", "batches")),
               ("evaluation cuda", 0, ("device_timing", "batches")),
               ("evaluation cuda", 0, ("reference_device_timing", "batches"))]
    for name, i, path in places:
        yield "%d ns less: line %d of %s, %s" % (
            1, i + 1, name, ".".join(path)), w.edited(
                name, of_line(i, lambda x, p=path: less(x, p, 1)))
        yield "half: line %d of %s, %s" % (
            i + 1, name, ".".join(path)), w.edited(
                name, of_line(i, lambda x, p=path: less(x, p, None)))
        yield "withheld: line %d of %s, %s" % (
            i + 1, name, ".".join(path)), w.edited(
                name, of_line(i, set_to(None, *path, "call_time_ns")))
    for i in (0, 2):
        for member in ("device_timing", "reference_device_timing"):
            for field, by in (("time_ns", -1), ("low_ns", -1),
                              ("high_ns", 1)):
                yield "%s by %d: line %d, %s" % (field, by, i + 1, member), \
                    w.edited("evaluation cuda", of_line(
                        i, lambda x, m=member, f=field, b=by:
                        x[m].update({f: x[m][f] + b})))
    yield "another decider", w.edited("evaluation cuda", of_line(
        0, set_to("floor", "device_timing", "decider")))


def less(line, path, by):
    for step in path:
        line = line[step]
    line["call_time_ns"] = (line["call_time_ns"] - by if by else
                            line["call_time_ns"] // 2)


def samples(w):
    """Samples edited, and the time left as it was."""
    for name, i, path in (("baseline cpu", 0, ("timing",)),
                          ("evaluation cpu", 0, ("timing",)),
                          ("evaluation cpu", 2, ("reference_timing",)),
                          ("evaluation cuda", 0, ("device_timing", "batches")),
                          ("baseline cuda", 1, ("device_timing", "batches"))):
        where = "line %d of %s" % (i + 1, name)

        def each(change, path=path):
            def edit(x):
                t = x
                for step in path:
                    t = t[step]
                change(t)
            return edit

        def scaled(t):
            t["large_ns"] = [v // 2 for v in t["large_ns"]]
        yield "large batches halved: " + where, w.edited(
            name, of_line(i, each(scaled)))

        def slow_small(t):
            t["small_ns"] = [v + 100000 for v in t["small_ns"]]
        yield "small batches slower: " + where, w.edited(
            name, of_line(i, each(slow_small)))

        def more_calls(t):
            t["n_large"] *= 2
        yield "more calls in a batch: " + where, w.edited(
            name, of_line(i, each(more_calls)))

        def one_less(t):
            t["large_ns"].pop()
        yield "one sample less on one side: " + where, w.edited(
            name, of_line(i, each(one_less)))


# --- plausibility ----------------------------------------------------------

def faster(line, time_ns):
    """Everything about a candidate's time made anew, consistently."""
    line["timing"] = timing(time_ns, "call", 15, 40000)
    line["device_timing"] = device_timing(time_ns)


def below_floor(w):
    """Times that follow from their samples, and that no H200 can have."""
    for i, time_ns in ((0, 40000), (0, 10000), (0, 1000), (2, 290000),
                       (2, 100000), (2, 2000)):
        yield "candidate of line %d in %d ns" % (i + 1, time_ns), w.edited(
            "evaluation cuda", of_line(
                i, lambda x, t=time_ns: faster(x, t)))
    for i, time_ns in ((0, 40000), (1, 200000)):
        yield "reference of line %d in %d ns" % (i + 1, time_ns), w.edited(
            "baseline cuda", of_line(
                i, lambda x, t=time_ns: faster(x, t)))

    def call_only(x):
        x["timing"] = timing(20000, "call", 15, 40000)
    yield "by the call clock alone", w.edited(
        "evaluation cuda", of_line(0, call_only))

    def scored(name, edit, yields):
        """A score that was judged honestly, of an evaluation that was not."""
        def forge():
            store = pathlib.Path("elsewhere")
            bundles = {k: w.made[k].copy() for k in
                       ("evaluation cuda", "baseline cuda", "suite")}
            edit(bundles[name])
            for b in bundles.values():
                b.write(store / b.id())
            w.score(bundles["evaluation cuda"], bundles["baseline cuda"],
                    store).write(FORGED)
            return ["--store", store, FORGED]
        return yields, forge
    yield scored("evaluation cuda", of_line(0, lambda x: faster(x, 9000)),
                 "a score of a candidate in 9000 ns")
    yield scored("baseline cuda", of_line(1, lambda x: faster(x, 99000)),
                 "a score by a reference in 99000 ns")


def trials(w):
    """Samples that a clock does not give, or too few or many of them."""
    def frozen(time_ns, trials_count, clock):
        t = timing(time_ns, clock, trials_count, 40000)
        t["small_ns"] = [t["small_ns"][0]] * trials_count
        t["large_ns"] = [t["small_ns"][0] + 8 * time_ns] * trials_count
        t["call_time_ns"] = median(slopes(t))
        return t

    for name, i, member in (("baseline cuda", 0, "timing"),
                            ("evaluation cuda", 0, "timing"),
                            ("evaluation cuda", 2, "reference_timing")):
        yield "%s of line %d of %s without noise" % (member, i + 1, name), \
            w.edited(name, of_line(i, lambda x, m=member: x.update(
                {m: frozen(500000, 15, "call")})))

    def frozen_device(x):
        t = x["device_timing"]
        t["batches"] = frozen(500000, 15, "device")
        t["time_ns"] = t["low_ns"] = t["high_ns"] = 500000
    for i in (0, 1, 3):
        yield "device timing of line %d without noise" % (i + 1), w.edited(
            "baseline cuda", of_line(i, frozen_device))

    for i in (0, 2):
        yield "a seed twice in line %d" % (i + 1), w.edited(
            "evaluation cpu", of_line(i, lambda x: x["trial_seeds"].append(
                x["trial_seeds"][0])))

    def shared(x):
        x[2]["trial_seeds"][0] = x[0]["trial_seeds"][0]
    yield "a seed in two lines of an evaluation", w.edited(
        "evaluation cpu", of_lines(shared))
    yield "a seed in two lines of a baseline", w.edited(
        "baseline cuda", of_lines(shared))

    def recount(count, clock):
        def edit(x):
            if clock == "call":
                x["timing"] = timing(500000, "call", count, 40000)
            else:
                x["device_timing"] = device_timing(500000, count)
        return edit
    for count in (1, 4, 6, 50):
        yield "%d trials where there are 5" % count, w.edited(
            "baseline cpu", of_line(1, recount(count, "call")))
    for count in (6, 9, 201):
        for clock in ("call", "device"):
            yield "%d trials by the %s clock" % (count, clock), w.edited(
                "baseline cuda", of_line(1, recount(count, clock)))
    for member in ("ending", "call_ending"):
        yield "%s by the number of trials" % member, w.edited(
            "evaluation cuda", of_line(0, set_to("trials", "device_timing",
                                                 member)))

    def doubled(x):
        for side in ("small_ns", "large_ns"):
            x["timing"][side].append(x["timing"][side][2])
        x["timing"]["call_time_ns"] = median(slopes(x["timing"]))
    for i in (0, 3):
        yield "a good sample twice in line %d" % (i + 1), w.edited(
            "baseline cpu", of_line(i, doubled))


def readings(w):
    """What no device says of itself."""
    for member, value in (("sm_clock_mhz_max", 1981),
                          ("sm_clock_mhz_max", 9999),
                          ("memory_clock_mhz_max", 3202),
                          ("temperature_c_max", 151),
                          ("power_mw_max", 1400001)):
        for name, i, of in (("evaluation cuda", 0, "device_timing"),
                            ("evaluation cuda", 2, "reference_device_timing"),
                            ("baseline cuda", 3, "device_timing")):
            yield "%s %d: %s of line %d of %s" % (
                member, value, of, i + 1, name), w.edited(
                    name, of_line(i, set_to(value, of, "telemetry",
                                            member)))
    for member in ("sm_clock_mhz_min", "memory_clock_mhz_min"):
        yield "%s above the highest" % member, w.edited(
            "baseline cuda", of_line(0, set_to(9999, "device_timing",
                                               "telemetry", member)))
