"""Forgeries of times: claimed, or made up."""

import pathlib

from bend import FORGED, of_line, of_lines, of_record, set_to
from honest import add_one_call, bounds, decide, device_timing, median, \
    slack, tell_device_ns, timing

# --- times -----------------------------------------------------------------

def claimed_times(w):
    """Times that do not follow from their samples, by either clock."""
    places = [("baseline cpu", i, ("timing",)) for i in range(4)]
    places += [("evaluation cpu", i, (t,)) for i in (0, 2)
               for t in ("timing", "reference_timing")]
    places += [("evaluation cuda", 0, (t,))
               for t in ("timing", "reference_timing")]
    places += [("baseline cuda", 0, ("device_timing", "timing")),
               ("evaluation cuda", 0, ("device_timing", "timing")),
               ("evaluation cuda", 0, ("reference_device_timing", "timing"))]
    for name, i, path in places:
        yield "%d ns less: line %d of %s, %s" % (
            1, i + 1, name, ".".join(path)), w.edited(
                name, of_line(i, lambda x, p=path: less(x, p, 1)))
        yield "half: line %d of %s, %s" % (
            i + 1, name, ".".join(path)), w.edited(
                name, of_line(i, lambda x, p=path: less(x, p, None)))
        yield "withheld: line %d of %s, %s" % (
            i + 1, name, ".".join(path)), w.edited(
                name, of_line(i, lambda x, p=path: withheld(x, p)))
    for i in (0, 2):
        for member in ("device_timing", "reference_device_timing"):
            for field, by in (("time_ns", 1), ("low_ns", -1),
                              ("high_ns", 1)):
                yield "%s by %d: line %d, %s" % (field, by, i + 1, member), \
                    w.edited("evaluation cuda", of_line(
                        i, lambda x, m=member, f=field, b=by:
                        x[m]["timing"].update({f: x[m]["timing"][f] + b})))
    for i, basis in ((0, "one_call"), (2, "slope")):
        for t in (("timing",), ("device_timing", "timing")):
            yield "another basis: line %d, %s" % (i + 1, t[0]), w.edited(
                "evaluation cuda", of_line(i, set_to(basis, *t, "basis")))


def at(line, path):
    for step in path:
        line = line[step]
    return line


def withheld(line, path):
    at(line, path).update(time_ns=None, basis=None, low_ns=None, high_ns=None)


def controlled(d, control_ns, **claimed):
    """A device timing, timed alone so long, and what is claimed for it."""
    d.update(control_before_ns=control_ns, control_after_ns=control_ns)
    d["timing"].update(claimed)


def control(w):
    """What a reference takes with no candidate alive."""
    def forge(edit, of="reference_device_timing", name="evaluation cuda"):
        return w.edited(name, of_line(0, lambda x: edit(x[of])))

    yield "it was quicker without, and the time left", forge(
        lambda d: controlled(d, 90000))
    yield "it was not, and its time is that of a quicker one", forge(
        lambda d: d["timing"].update(time_ns=91800, basis="control",
                                     low_ns=None, high_ns=None))
    yield "it was quicker without, and the slack left out", forge(
        lambda d: controlled(d, 90000, time_ns=90000, basis="control",
                             low_ns=None, high_ns=None))
    yield "it was quicker without, and an interval", forge(
        lambda d: controlled(d, 90000, time_ns=91800, basis="control"))
    yield "it was quicker without, and by the slope", forge(
        lambda d: controlled(d, 90000, time_ns=91800, low_ns=None,
                             high_ns=None))
    yield "it decided, and is gone", forge(
        lambda d: controlled(d, None, time_ns=91800, basis="control",
                             low_ns=None, high_ns=None))
    yield "of a candidate", forge(
        lambda d: controlled(d, 1000, time_ns=2000, basis="control",
                             low_ns=None, high_ns=None), "device_timing")
    yield "of a baseline", forge(
        lambda d: controlled(d, 200000), "device_timing", "baseline cuda")


def one_call(w):
    """Runs of one call, bent so that the slope would decide."""
    call = (("timing",), ("reference_timing",))
    device = (("device_timing", "timing"), ("reference_device_timing",
                                            "timing"))
    for name, i, (own, beside), decided in (
            ("evaluation cpu", 0, call, False),
            ("evaluation cpu", 2, call, True),
            ("evaluation cuda", 0, device, False),
            ("evaluation cuda", 2, device, True),
            ("evaluation cuda", 4, call, False)):
        where = "line %d of %s" % (i + 1, name)
        on_gpu = name == "evaluation cuda"

        def forge(change, name=name, i=i, own=own, beside=beside):
            def edit(x):
                change(at(x, own), at(x, beside))
                if on_gpu and own is device[0]:
                    tell_device_ns(x["timing"], x["device_timing"])
                    tell_device_ns(x["reference_timing"],
                                   x["reference_device_timing"])
            return w.edited(name, of_line(i, edit))
        yield "one sample less of the candidate: " + where, forge(
            lambda t, r: t["one_call_ns"].pop())
        yield "one sample less of the reference: " + where, forge(
            lambda t, r: r["one_call_ns"].pop())
        yield "none of the reference: " + where, forge(
            lambda t, r: r.update(one_call_ns=[]))
        yield "none of either: " + where, forge(
            lambda t, r: (t.update(one_call_ns=[]), r.update(one_call_ns=[]),
                          decide(t, r)))
        yield "one less than the policy has: " + where, forge(
            lambda t, r, few=12 if on_gpu else 11: (
                t.update(one_call_ns=t["one_call_ns"][1:few]),
                r.update(one_call_ns=r["one_call_ns"][1:few]),
                decide(t, r)))
        yield "the candidate's of no calls: " + where, forge(
            lambda t, r: t.update(n_one_call=0))
        yield "the reference's of two calls: " + where, forge(
            lambda t, r: r.update(n_one_call=2))
        yield "as if it had been alone: " + where, forge(
            lambda t, r: t.update(alone_ns=r["one_call_ns"]))
        if on_gpu:
            yield "a slack of ranks, where there is one: " + where, forge(
                lambda t, r: (t.update(one_call_slack_ns=4000), decide(t, r)))
            yield "none with the reference alone: " + where, forge(
                lambda t, r: (r.update(alone_ns=[]), decide(t, r)))
            yield "one less with the reference alone: " + where, forge(
                lambda t, r: (r["alone_ns"].pop(), decide(t, r)))
            yield "what copying in takes is not said: " + where, forge(
                lambda t, r: t.update(copy_in_small_ns=None,
                                      copy_in_large_ns=None,
                                      copy_in_one_call_ns=None))
            yield "nor for one call: " + where, forge(
                lambda t, r: t.update(copy_in_one_call_ns=None))
        else:
            yield "with what copying in takes: " + where, forge(
                lambda t, r: t.update(copy_in_small_ns=1, copy_in_large_ns=1,
                                      copy_in_one_call_ns=1))
            yield "the reference's of no calls: " + where, forge(
                lambda t, r: r.update(n_one_call=0))
        yield "more was subtracted than there was: " + where, forge(
            lambda t, r: t["one_call_ns"].__setitem__(0, -79001))
        if decided:
            yield "the candidate's are shorter: " + where, forge(
                lambda t, r: t.update(one_call_ns=[
                    v - 90000 for v in t["one_call_ns"]]))
            yield "the reference's are longer: " + where, forge(
                lambda t, r: r.update(one_call_ns=[
                    v + 90000 for v in r["one_call_ns"]],
                    alone_ns=[v + 90000 for v in r["alone_ns"]]))
            yield "none of either, and the time of the bound: " + where, \
                forge(lambda t, r: (t.update(one_call_ns=[]),
                                    r.update(one_call_ns=[])))
            yield "the slope's time, and the basis left: " + where, forge(
                lambda t, r: (decide(t), t.update(basis="one_call")))
            yield "the slope's time: " + where, forge(
                lambda t, r: decide(t))
            yield "the bound without the slack: " + where, forge(
                lambda t, r: t.update(
                    {m: t[m] - slack(t, median(bounds(t, r)))
                     for m in ("time_ns", "low_ns", "high_ns")}))
        if decided and on_gpu:
            yield "the reference was shorter alone: " + where, forge(
                lambda t, r: r.update(alone_ns=[
                    v - 9000 for v in r["alone_ns"]]))
            yield "the reference's of no calls: " + where, forge(
                lambda t, r: r.update(n_one_call=0))

        def many(t, r):
            for x in (t, r):
                x["one_call_ns"] = x["one_call_ns"] * 5
            decide(t, r)
        yield "more than the policy has: " + where, forge(many)

        def same(t, r):
            for x in (t, r):
                x["one_call_ns"] = [x["one_call_ns"][0]] * 20
            decide(t, r)
        yield "all the same: " + where, forge(same)


def device_ns(w):
    """The time by the device's clock, told of a call's or not."""
    places = (("baseline cuda", 0, "timing", "device_timing"),
              ("evaluation cuda", 0, "timing", "device_timing"),
              ("evaluation cuda", 0, "reference_timing",
               "reference_device_timing"),
              ("evaluation cuda", 2, "timing", "device_timing"),
              ("evaluation cuda", 4, "reference_timing",
               "reference_device_timing"))
    for name, i, own, device in places:
        where = "%s of line %d of %s" % (own, i + 1, name)

        def forge(change, name=name, i=i, own=own, device=device):
            return w.edited(name, of_line(
                i, lambda x: change(x[own], x[device]["timing"])))

        def other(by):
            def change(t, d):
                t["device_ns"] = d["time_ns"] + by
                decide(t)
            return change

        def untold(t, d):
            t["device_ns"] = None
            decide(t)

        def claimed(t, d):
            t.update(device_ns=None, basis="device", low_ns=None,
                     high_ns=None)
        yield "a nanosecond less: " + where, forge(other(-1))
        yield "a nanosecond more: " + where, forge(other(1))
        yield "untold: " + where, forge(untold)
        yield "the basis without it: " + where, forge(claimed)
        yield "the basis where it is shorter: " + where, forge(
            lambda t, d: t.update(basis="device", device_ns=1,
                                  low_ns=None, high_ns=None))
        yield "with an interval: " + where, forge(
            lambda t, d: t.update(basis="device", low_ns=1, high_ns=2))
        yield "of the device's own: " + where, forge(
            lambda t, d: d.update(device_ns=d["time_ns"]))
        yield "of 0: " + where, forge(
            lambda t, d: t.update(device_ns=0))
    for name, own in (("baseline cpu", "timing"),
                      ("evaluation cpu", "timing"),
                      ("evaluation cpu", "reference_timing")):
        yield "without a device: %s of %s" % (own, name), w.edited(
            name, of_line(0, set_to(300000, own, "device_ns")))

    def not_queued(x):
        x["timing"]["device_ns"] = 400000
    yield "of who is not queued", w.edited(
        "evaluation cuda", of_line(4, not_queued))

    def stripped(x):
        x["device_timing"].update(timing=None, not_queueable="it waits")
        tell_device_ns(x["timing"], x["device_timing"])
    for i in (0, 2):
        yield "stripped, with the device's time: line %d" % (i + 1), w.edited(
            "evaluation cuda", of_line(i, stripped))


def policies(w):
    """What a policy has of runs of one call."""
    for name in ("evaluation cpu", "evaluation cuda"):
        yield "no pairs would do: " + name, w.edited(
            name, of_record(set_to(0, "policy", "one_call_pairs")))
        yield "ten would do: " + name, w.edited(
            name, of_record(set_to(10, "policy", "one_call_pairs")))
        yield "more than there are: " + name, w.edited(
            name, of_record(set_to(21, "policy", "one_call_pairs")))
        yield "fewer than there are: " + name, w.edited(
            name, of_record(set_to(19, "policy", "one_call_pairs_max")))
    yield "the reference alone more often than it was", w.edited(
        "evaluation cuda", of_record(set_to(9, "policy", "alone_runs")))


def versions(w):
    """Records of a version that is not the kind's, and what rests on one."""
    for name in ("baseline cpu", "baseline cuda", "evaluation cpu",
                 "evaluation cuda", "score cpu"):
        yield "of version 1: " + name, w.edited(
            name, of_record(set_to(1, "schema_version")))

    def divided():
        store = pathlib.Path("elsewhere")
        bundles = {k: w.made[k].copy() for k in
                   ("evaluation cpu", "baseline cpu", "suite", "score cpu")}
        of_record(set_to(1, "schema_version"))(bundles["baseline cpu"])
        of_record(lambda r: r["parents"][1].update(
            id=bundles["baseline cpu"].id()))(bundles["score cpu"])
        bundles.pop("score cpu").write(FORGED)
        for b in bundles.values():
            b.write(store / b.id())
        return ["--store", store, FORGED]
    yield "a score by a baseline of version 1", divided


def less(line, path, by):
    t = at(line, path)
    t["time_ns"] = t["time_ns"] - by if by else t["time_ns"] // 2


def samples(w):
    """Samples edited, and the time left as it was."""
    for name, i, path in (("baseline cpu", 0, ("timing",)),
                          ("evaluation cpu", 0, ("timing",)),
                          ("evaluation cpu", 2, ("reference_timing",)),
                          ("evaluation cuda", 0, ("device_timing", "timing")),
                          ("baseline cuda", 1, ("device_timing", "timing"))):
        where = "line %d of %s" % (i + 1, name)

        def each(change, path=path):
            return lambda x: change(at(x, path))

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
    line["timing"] = timing(time_ns, "call", 6, 40000, True)
    line["device_timing"] = device_timing(time_ns)
    if "reference_device_timing" in line:
        add_one_call(line["device_timing"]["timing"],
                     line["reference_device_timing"]["timing"], time_ns)
    tell_device_ns(line["timing"], line["device_timing"])


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
        x["timing"] = timing(20000, "call", 10, 40000, True)
        x["device_timing"].update(timing=None, not_queueable="it waits")
        add_one_call(x["timing"], x["reference_timing"], 20000)
    yield "by the call clock alone", w.edited(
        "evaluation cuda", of_line(0, call_only))

    def scored(name, edit, yields):
        """A score that was judged honestly, of an evaluation that was not,
        where the suite was not there to tell."""
        def forge():
            store = pathlib.Path("elsewhere")
            bundles = {k: w.made[k].copy() for k in
                       ("evaluation cuda", "baseline cuda")}
            edit(bundles[name])
            for b in bundles.values():
                b.write(store / b.id())
            w.score(bundles["evaluation cuda"], bundles["baseline cuda"],
                    store).write(FORGED)
            w.made["suite"].write(store / w.made["suite"].id())
            return ["--store", store, FORGED]
        return yields, forge
    yield scored("evaluation cuda", of_line(0, lambda x: faster(x, 9000)),
                 "a score of a candidate in 9000 ns")
    yield scored("baseline cuda", of_line(1, lambda x: faster(x, 99000)),
                 "a score by a reference in 99000 ns")


def trials(w):
    """Samples that a clock does not give, or too few or many of them."""
    def frozen(time_ns, trials_count, clock):
        t = timing(time_ns, clock, trials_count, 40000, True)
        t["small_ns"] = [t["small_ns"][0]] * trials_count
        t["large_ns"] = [t["small_ns"][0] + 8 * time_ns] * trials_count
        return decide(t)

    def freeze(line, member):
        line[member] = frozen(700000, 15, "call")
        device = line[member.replace("timing", "device_timing")]
        tell_device_ns(line[member], device)

    for name, i, member in (("baseline cuda", 0, "timing"),
                            ("evaluation cuda", 0, "timing"),
                            ("evaluation cuda", 2, "reference_timing")):
        yield "%s of line %d of %s without noise" % (member, i + 1, name), \
            w.edited(name, of_line(i, lambda x, m=member: freeze(x, m)))

    def frozen_device(x):
        x["device_timing"]["timing"] = frozen(500000, 15, "device")
        tell_device_ns(x["timing"], x["device_timing"])
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
                x["timing"] = timing(500000, "call", count, 40000,
                                     "device_timing" in x)
            else:
                x["device_timing"] = device_timing(500000, count)
            if "device_timing" in x:
                tell_device_ns(x["timing"], x["device_timing"])
        return edit
    for count in (1, 4, 6, 50):
        yield "%d trials where there are 5" % count, w.edited(
            "baseline cpu", of_line(1, recount(count, "call")))
    for clock, counts in (("call", (5, 201)), ("device", (6, 9, 201))):
        for count in counts:
            yield "%d trials by the %s clock" % (count, clock), w.edited(
                "baseline cuda", of_line(1, recount(count, clock)))
    for path in (("timing",), ("device_timing", "timing")):
        yield "%s ended by the number of trials" % path[0], w.edited(
            "evaluation cuda", of_line(0, set_to("trials", *path,
                                                 "stop_reason")))
    yield "ended as slow on a GPU", w.edited(
        "evaluation cuda", of_line(0, set_to("slow", "device_timing",
                                             "timing", "stop_reason")))
    yield "ended as slow on a CPU", w.edited(
        "evaluation cpu", of_line(0, set_to("slow", "timing", "stop_reason")))
    for reason in ("interval", "budget", "slow"):
        yield "ended by the %s on a CPU" % reason, w.edited(
            "baseline cpu", of_line(0, set_to(reason, "timing",
                                              "stop_reason")))

    def doubled(x):
        for side in ("small_ns", "large_ns"):
            x["timing"][side].append(x["timing"][side][2])
        decide(x["timing"])
    for i in (0, 3):
        yield "a good sample twice in line %d" % (i + 1), w.edited(
            "baseline cpu", of_line(i, doubled))


def copied(w):
    """The reference's own samples as a candidate's, decided anew."""
    for name, i, path, beside in (
            ("evaluation cpu", 0, ("timing",), ("reference_timing",)),
            ("evaluation cpu", 2, ("timing",), ("reference_timing",)),
            ("evaluation cuda", 0, ("device_timing", "timing"),
             ("reference_device_timing", "timing")),
            ("evaluation cuda", 4, ("timing",), ("reference_timing",))):
        def edit(x, path=path, beside=beside):
            own, other = at(x, path), at(x, beside)
            for member in ("small_ns", "large_ns", "one_call_ns"):
                own[member] = list(other[member])
            decide(own, other)
            if "device_timing" in x:
                tell_device_ns(x["timing"], x["device_timing"],
                               x["reference_timing"])
        yield "line %d of %s" % (i + 1, name), w.edited(
            name, of_line(i, edit))


def readings(w):
    """What no device says of itself."""
    for name, i, of in (("evaluation cuda", 0, "device_timing"),
                        ("evaluation cuda", 2, "reference_device_timing"),
                        ("baseline cuda", 3, "device_timing")):
        yield "never asked: %s of line %d of %s" % (of, i + 1, name), \
            w.edited(name, of_line(i, set_to(0, of, "telemetry",
                                             "samples")))
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
