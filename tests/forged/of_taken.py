"""Forgeries by taking away: fields, facts, members, samples, whole times. What
is not there cannot be held against anybody, unless it has to be there."""

from bend import of_line, of_lines, of_record, set_to
from honest import LINES, OPTIONS, count_statuses, seed, tell_device_ns
from of_ancestors import asked_of, of_derived

CONDITIONED = ["baseline cpu", "baseline cuda", "evaluation cpu",
               "evaluation cuda", "audit"]


def match_key_fields(w):
    """A match key with less in it: two machines would be one."""
    for name in CONDITIONED:
        yield "%s: all of it" % name, w.edited(
            name, of_record(set_to({}, "match_key")))
        for field in sorted(w.made[name].record["match_key"]):
            yield "%s: %s" % (name, field), w.edited(
                name, of_record(lambda r, f=field: r["match_key"].pop(f)))


def facts(w):
    """Facts out of the environment, and the match key made to go with it."""
    for name in ("baseline cuda", "evaluation cuda", "evaluation cpu",
                 "audit"):
        for field in sorted(w.made[name].record["match_key"]):
            section, fact = field.split(".")
            if section == "policy" or field == "device.kind":
                continue

            def gone(r, field=field, section=section, fact=fact):
                if fact not in r["environment"][section]:
                    return r["match_key"].update({field: "not recorded"})
                r["environment"][section].pop(fact)
                r["match_key"][field] = "not recorded"
            yield "%s: %s" % (name, field), w.edited(name, of_record(gone))
    for name, section, fact in (("evaluation cuda", "gpu", "name"),
                                ("baseline cuda", "driver", "version"),
                                ("evaluation cpu", "cpu", "model")):
        def listed(r, section=section, fact=fact):
            facts = r["environment"][section]
            facts[fact] = [facts[fact]]
            r["match_key"]["%s.%s" % (section, fact)] = "unavailable"
        yield "%s: %s.%s as a list" % (name, section, fact), w.edited(
            name, of_record(listed))
    for name in ("baseline cuda", "evaluation cuda"):
        for section in ("gpu", "driver", "cpu", "os"):
            def hidden(r, section=section):
                r["environment"][section] = {"unavailable": "it is private"}
                for field in r["match_key"]:
                    if field.startswith(section + "."):
                        r["match_key"][field] = "unavailable"
            yield "%s: all of %s" % (name, section), w.edited(
                name, of_record(hidden))


def policy_members(w):
    """Policies that say less, or that say what no option says."""
    for name in CONDITIONED:
        policy = w.made[name].record["policy"]
        for member in sorted(policy):
            yield "%s: %s" % (name, member), w.edited(
                name, of_record(lambda r, m=member: r["policy"].pop(m)))
        yield "%s: all of it" % name, w.edited(
            name, of_record(set_to({}, "policy")))
        for member in sorted(set(policy) & set(OPTIONS)):
            option = OPTIONS[member][0]
            if option in w.made[name].record["options"]:
                yield "%s: the option %s" % (name, option), w.edited(
                    name, of_record(lambda r, o=option: r["options"].pop(o)))
        yield "%s: the option device" % name, w.edited(
            name, of_record(lambda r: r["options"].pop("device")))
        yield "%s: all options" % name, w.edited(
            name, of_record(set_to({}, "options")))


def policy_values(w):
    """Policies that there are not."""
    for name, member, value in (
            ("evaluation cpu", "tolerance", "whatever"),
            ("evaluation cpu", "tolerance", "v4"),
            ("evaluation cpu", "tolerance", "paper"),
            ("evaluation cpu", "tolerance", "precise"),
            ("evaluation cpu", "error_multiple", 8),
            ("evaluation cpu", "error_multiple", 1000000),
            ("evaluation cuda", "precision", "fp64"),
            ("evaluation cuda", "precision", "fp16"),
            ("evaluation cuda", "tf32", "on"),
            ("evaluation cuda", "tf32", "torch"),
            ("evaluation cuda", "tf32", "perhaps"),
            ("evaluation cuda", "deterministic", "yes"),
            ("evaluation cuda", "l2_cache", "warm"),
            ("evaluation cuda", "clock", "call"),
            ("evaluation cpu", "clock", "call, device"),
            ("evaluation cpu", "precision", "fp32"),
            ("evaluation cpu", "alternate_trials", 0),
            ("evaluation cuda", "trials_max", 9),
            ("evaluation cuda", "trials", 1),
            ("evaluation cpu", "trials", "5"),
            ("evaluation cpu", "trials", 2 ** 53 - 1),
            ("evaluation cpu", "threads", 8),
            ("evaluation cpu", "stopping_rule", 3),
            ("evaluation cuda", "slow_factor", 1),
            ("baseline cpu", "slow_factor", 10),
            ("evaluation cpu", "batch_calls_max", 0),
            ("evaluation cpu", "memory_bytes", 18078 * 1024 * 1024 + 1),
            ("evaluation cpu", "patience", 1),
            ("evaluation cpu", "in_place", "accept"),
            ("evaluation cpu", "candidate_weights", "own"),
            ("evaluation cpu", "sandbox", "off"),
            ("baseline cpu", "sandbox", "strict"),
            ("baseline cpu", "in_place", "accept"),
            ("baseline cpu", "candidate_weights", "own"),
            ("evaluation cpu", "like", "kernelbench"),
            ("baseline cpu", "alternate_trials", 3),
            ("baseline cpu", "seeds", "42,123"),
            ("baseline cuda", "tolerance", "generous"),
            ("audit", "operations", 7), ("audit", "weights_seed", 43)):
        yield "%s: %s %r" % (name, member, value), w.edited(
            name, of_record(set_to(value, "policy", member)))
    both = [("tolerance", "whatever", "tolerance"),
            ("precision", "fp64", "precision"), ("tf32", "half", "tf32"),
            ("in_place", "refuse", "in-place"),
            ("candidate_weights", "reference", "candidate-weights"),
            ("sandbox", "standard", "sandbox")]
    for member, value, option in both:
        def told(r, m=member, v=value, o=option):
            r["policy"][m] = r["options"][o] = v
        yield "%s %s, and so the option" % (member, value), w.edited(
            "evaluation cuda", of_record(told))
    for name, device in (("evaluation cpu", "cuda:0"), ("audit", "cuda"),
                         ("evaluation cuda", "cpu"),
                         ("baseline cuda", "tpu")):
        yield "%s: the option device %s" % (name, device), w.edited(
            name, of_record(set_to(device, "options", "device")))
    for name, modes in (("baseline cpu", "cudagraphs"),
                        ("baseline cpu", "eagerly"), ("baseline cpu", ""),
                        ("baseline cuda", "compile:default,cudagraphs")):
        yield "%s: the option modes '%s'" % (name, modes), w.edited(
            name, of_record(set_to(modes, "options", "modes")))
    for option, value in (("seeds", "42,123"), ("precision", "bf16"),
                          ("tf32", "on"), ("deterministic", "on"),
                          ("in-place", "accept"), ("in-place", "perhaps"),
                          ("candidate-weights", "own"),
                          ("like", "kernelbench"),
                          ("sandbox", "off"), ("sandbox", "perhaps")):
        yield "evaluation cpu: the option %s alone, %s" % (option, value), \
            w.edited("evaluation cpu",
                     of_record(set_to(value, "options", option)))
    for seeds in ("43", "43,42", "", "42,123"):
        def listed(r, seeds=seeds):
            del r["options"]["seed"]
            r["options"]["seeds"] = seeds
        yield "evaluation cpu: the option seeds '%s', and no seed" % seeds, \
            w.edited("evaluation cpu", of_record(listed))
    for name in CONDITIONED:
        for tool in ("kb-pack", "kb-score"):
            yield "%s: by %s" % (name, tool), w.edited(
                name, of_record(set_to(tool, "tool", "name")))


# --- lines -----------------------------------------------------------------

# Lines of evaluations that are correct; the third has alternate inputs.
CORRECT = (0, 2, 4)
ALTERNATE = 4


def recounted(edit):
    """Lines edited, and counted again."""
    def apply(bundle):
        lines, record = bundle.lines(), bundle.record
        edit(lines)
        record["status_counts"] = count_statuses(lines)
        bundle.record = record
        bundle.set_lines(lines)
    return apply


def times(w):
    """A time withheld whole: a slow one raises a mean by that."""
    for device in ("cpu", "cuda"):
        name = "evaluation " + device
        for i in CORRECT:
            of = "line %d of %s" % (i + 1, name)
            for members in (("timing",), ("reference_timing",),
                            ("timing", "reference_timing")):
                def withheld(x, members=members):
                    for member in members:
                        x[member] = None
                    if "device_timing" in x:
                        for member in members:
                            tell = member.replace("timing", "device_timing")
                            x[tell].update(timing=None, not_queueable="no")
                yield "%s of %s" % (" and ".join(members), of), w.edited(
                    name, of_line(i, withheld))
            if device == "cpu":
                continue
            for members in (("device_timing",), ("reference_device_timing",),
                            ("device_timing", "reference_device_timing")):
                def by_calls(x, members=members):
                    for member in members:
                        x.pop(member)
                        x[member.replace("device_", "")]["device_ns"] = None
                yield "%s of %s" % (" and ".join(members), of), w.edited(
                    name, of_line(i, by_calls))
    for i in range(4):
        def slower_clock(x):
            x.pop("device_timing")
            x["timing"]["device_ns"] = None
            tell_device_ns(x["timing"], {"timing": None})
        yield "device_timing of line %d of baseline cuda" % (i + 1), w.edited(
            "baseline cuda", of_line(i, slower_clock))
    for name in ("evaluation cpu", "evaluation cuda", "baseline cpu",
                 "baseline cuda"):
        for wall_ns in (0, 1, 1000000):
            yield "wall_ns %d of line 1 of %s" % (wall_ns, name), w.edited(
                name, of_line(0, set_to(wall_ns, "wall_ns")))

    yield "cpu_ms of more processors than there are", w.edited(
        "evaluation cpu", of_line(0, set_to(20001 * 8192 + 8192, "cpu_ms")))

    def beside(x):
        x[1]["reference_timing"] = x[0]["reference_timing"]
    yield "a reference's time beside a mismatch", w.edited(
        "evaluation cpu", of_lines(beside))


def readings_left_out(w):
    """A device that was slowed down, and the reading that shows it left out."""
    own, beside = "device_timing", "reference_device_timing"
    for member in ("sm_clock_mhz", "memory_clock_mhz", "temperature_c",
                   "power_mw", "reasons"):
        for name, i, of in (("evaluation cuda", 0, (own,)),
                            ("evaluation cuda", 2, (own,)),
                            ("evaluation cuda", 0, (beside,)),
                            ("evaluation cuda", 2, (own, beside)),
                            ("baseline cuda", 0, (own,)),
                            ("baseline cuda", 2, (own,))):
            def untold(x, member=member, of=of):
                for d in of:
                    t = x[d]["telemetry"]
                    t.update({m: None for m in t if m.startswith(member)})
            yield "%s of %s of line %d of %s" % (
                member, " and ".join(of), i + 1, name), w.edited(
                    name, of_line(i, untold))

            def unasked(x, of=of):
                for d in of:
                    t = x[d]["telemetry"]
                    x[d]["telemetry"] = dict(dict.fromkeys(t), samples=0)
            if member == "reasons":
                yield "all, as if never asked: %s of line %d of %s" % (
                    " and ".join(of), i + 1, name), w.edited(
                        name, of_line(i, unasked))


def seeds(w):
    """Seeds of runs that were not made, or that nobody wants to tell."""
    for name, lines in (("evaluation cpu", CORRECT),
                        ("evaluation cuda", CORRECT + (1,)),
                        ("baseline cpu", range(4)),
                        ("baseline cuda", range(4))):
        for i in lines:
            of = "line %d of %s" % (i + 1, name)
            yield "all of " + of, w.edited(
                name, of_line(i, set_to([], "trial_seeds")))
            yield "one more in " + of, w.edited(
                name, of_line(i, lambda x: x["trial_seeds"].append(
                    seed("more"))))
            if len(w.made[name].lines()[i]["trial_seeds"]) > 1:
                yield "the last of " + of, w.edited(
                    name, of_line(i, lambda x: x["trial_seeds"].pop()))
                yield "all but one of " + of, w.edited(
                    name, of_line(i, lambda x: x.update(
                        trial_seeds=x["trial_seeds"][:1])))

    def all_of(x):
        for line in x:
            line["trial_seeds"] = []
    for name in ("evaluation cpu", "baseline cuda"):
        yield "all of %s" % name, w.edited(name, of_lines(all_of))


def comparisons(w):
    """Called correct, and compared with something else, or not at all."""
    for device in ("cpu", "cuda"):
        name = "evaluation " + device
        for i in CORRECT:
            of = "line %d of %s" % (i + 1, name)
            yield "not compared: " + of, w.edited(
                name, of_line(i, set_to(None, "outputs")))
            for member, value in (("elements", 0), ("elements", 7),
                                  ("elements", 4096),
                                  ("mismatched", 1), ("nan", 1),
                                  ("mismatched", 4096),
                                  ("rms_error", "5")):
                yield "%s %s: %s" % (member, value, of), w.edited(
                    name, of_line(i, set_to(value, "outputs", 0, member)))
            yield "all mismatched: " + of, w.edited(
                name, of_line(i, lambda x: x["outputs"][0].update(
                    mismatched=x["outputs"][0]["elements"])))
            yield "two outputs: " + of, w.edited(
                name, of_line(i, lambda x: (
                    x["outputs"].append(x["outputs"][0]),
                    x["fp64_reference_error"]["outputs"].append(
                        x["fp64_reference_error"]["outputs"][0]))))
            yield "calls without end: " + of, w.edited(
                name, of_line(i, lambda x: x["outputs"][0].update(
                    elements=x["outputs"][0]["elements"] * 1000)))
            if i != ALTERNATE:  # which fp64_errors() has
                yield "no error of the reference: " + of, w.edited(
                    name, of_line(i, set_to(None, "fp64_reference_error")))

        def called_correct(x, device=device):
            good = x[0]
            for member in ("timing", "reference_timing", "device_timing",
                           "reference_device_timing", "trial_seeds"):
                if member in good:
                    x[1][member] = good[member]
            x[1].update(status="correct", phase=None, trial_seeds=[
                seed(i, "mine") for i in range(len(good["trial_seeds"]))])
        yield "a mismatch called correct: " + name, w.edited(
            name, recounted(called_correct))
        for status, members in (("not_finite", {}),
                                ("mismatch", {"mismatched": 0}),
                                ("mismatch", {"nan": 4096})):
            def called(x, status=status, members=members):
                x[1]["status"] = status
                x[1]["outputs"][0].update(members)
            yield "a mismatch called %s with %s: %s" % (
                status, members, name), w.edited(name, recounted(called))
        yield "a mismatch that was not compared: " + name, w.edited(
            name, of_line(1, set_to(None, "outputs")))


def counts(w):
    """Of a suite without facts: numbers that contradict each other."""
    def forge(*edits):
        return asked_of(lambda: of_derived(w), "evaluation", lambda b: [
            edit(b) for edit in edits], "evaluation")

    no_error = dict.fromkeys(("max_abs_error", "max_rel_error", "rms_error"),
                             "0")
    for i in CORRECT:
        for name, members in (("errors", {}), ("no error", no_error)):
            yield "no elements and %s: line %d" % (name, i + 1), forge(
                of_line(i, lambda x, m=members: x["outputs"][0].update(
                    m, elements=0)))
    yield "no elements, on alternate inputs", forge(
        of_line(ALTERNATE, lambda x: x["alternate_inputs"]["outputs"][
            0].update(elements=0)))
    yield "NaN that is no mismatch", forge(recounted(
        lambda x: (x[1].update(status="not_finite"),
                   x[1]["outputs"][0].update(nan=4097))))
    yield "more mismatches than elements", forge(
        of_line(1, lambda x: x["outputs"][0].update(mismatched=x["outputs"][0][
            "elements"] + 1)))


def like(w):
    """Somebody's settings that are not all there."""
    def all_but(key, edit):
        def apply(record):
            for where in "policy", "options":
                record[where]["like"] = "kernelbench"
            if key:
                record["match_key"]["policy.like"] = "kernelbench"
            edit(record)
        return of_record(apply)

    def nothing(record):
        pass

    def other_seed(record):
        record["policy"].update(weights_seed=43)
        record["options"].update(seed="43")
    for name, what, key, edit in (
            ("evaluation cpu", "in_place", True, nothing),
            ("evaluation cuda", "in_place", True, nothing),
            ("baseline cpu", "match key", False, nothing),
            ("baseline cpu", "seed", True, other_seed),
            ("baseline cuda", "tf32", True, nothing)):
        yield "%s: without its %s" % (name, what), w.edited(
            name, all_but(key, edit))


def backends(w):
    """Kernels in another language than the code's."""
    for name in ("evaluation cpu", "evaluation cuda"):
        for backend in ("torch-compile", "triton", "Torch", None):
            yield "%s: %r" % (name, backend), w.edited(
                name, of_line(0, set_to(backend, "backend")))
        i = [x["status"] for x in w.made[name].lines()].index("missing")
        yield "%s: of a missing one" % name, w.edited(
            name, of_line(i, set_to("torch", "backend")))


def pools(w):
    """An output pool that nobody had."""
    record = w.made["evaluation cuda"].record
    policy = record["policy"]["output_pool_bytes"]
    memory = record["environment"]["gpu"]["memory_bytes"]
    for size in (0, policy, memory + 1, str(policy - 1), None):
        yield "%r of the policy's %d" % (size, policy), w.edited(
            "evaluation cuda", of_line(0, set_to(size, "output_pool_bytes")))
    for name in ("evaluation cpu", "evaluation cuda"):
        i = [x["status"] for x in w.made[name].lines()].index("missing")
        yield "%s: of a missing one" % name, w.edited(
            name, of_line(i, set_to(1, "output_pool_bytes")))
    for name, member in (("evaluation", "output_pool_bytes"),
                         ("evaluation", "reference_output_pool_bytes"),
                         ("baseline", "output_pool_bytes")):
        if (name, member) != ("evaluation", "output_pool_bytes"):
            for size in (0, policy, memory + 1, None):
                yield "%s: %s %r" % (name, member, size), w.edited(
                    name + " cuda", of_line(0, set_to(size, member)))
        yield "%s: %s on a CPU" % (name, member), w.edited(
            name + " cpu", of_line(0, set_to(1, member)))


def in_place(w):
    """Refused for what the policy accepts."""
    def accepted(record):
        record["policy"]["in_place"] = "accept"
        record["options"]["in-place"] = "accept"

    def refused(lines):
        lines[1].update(status="inputs_modified", outputs=None)

    for device in ("cpu", "cuda"):
        def both(bundle):
            recounted(refused)(bundle)
            of_record(accepted)(bundle)
        name = "evaluation " + device
        yield name, w.edited(name, both)


def fp64_errors(w):
    """A reference that was never asked how far it is from float64."""
    for name, lines in (("baseline cpu", range(4)),
                        ("baseline cuda", range(4)),
                        ("evaluation cpu", (1, ALTERNATE)),
                        ("evaluation cuda", (1, ALTERNATE))):
        for i in lines:
            yield "line %d of %s" % (i + 1, name), w.edited(
                name, of_line(i, set_to(None, "fp64_reference_error")))


def alternate_inputs(w):
    """Trials on alternate inputs that were not made."""
    for device in ("cpu", "cuda"):
        name = "evaluation " + device
        a = "alternate_inputs"
        for i in (3, ALTERNATE):
            yield "of line %d of %s" % (i + 1, name), w.edited(
                name, of_line(i, lambda x: x.pop(a)))
        yield "where there are none: " + name, w.edited(name, of_lines(
            lambda x: x[0].update({a: x[ALTERNATE][a]})))
        for trials in (1, 2):
            def fewer(x, trials=trials):
                x[a]["trials"] = trials
                x[a]["trial_seeds"] = x[a]["trial_seeds"][:trials]
            yield "but %d: %s" % (trials, name), w.edited(
                name, of_line(ALTERNATE, fewer))
        for member, value in (("mismatched", 5), ("nan", 5),
                              ("elements", 5), ("rms_error", "7")):
            yield "%s %s: %s" % (member, value, name), w.edited(
                name, of_line(ALTERNATE, set_to(value, a, "outputs", 0,
                                                member)))
    yield "seeds: evaluation cpu", w.edited(
        "evaluation cpu", of_line(ALTERNATE, set_to(
            [], "alternate_inputs", "trial_seeds")))
    yield "a seed less: evaluation cpu", w.edited(
        "evaluation cpu", of_line(ALTERNATE, lambda x: x[
            "alternate_inputs"]["trial_seeds"].pop()))
    yield "seeds more: evaluation cuda", w.edited(
        "evaluation cuda", of_line(ALTERNATE, set_to(
            [seed("a")], "alternate_inputs", "trial_seeds")))


def missing(w):
    """Nothing was submitted, and it is told more than once."""
    for device in ("cpu", "cuda"):
        name = "evaluation " + device

        def run(x):
            x[5]["wall_ns"] = 5

        def other(x):
            x[5]["sample_id"] = 1

        def beside(x):
            x.insert(2, dict(x[5], key="1/1", level=1, problem_id=1,
                             sample_id=2))

        def seeded(x):
            x[5]["trial_seeds"] = [seed("missing")]
        for what, edit in (("that was run", run), ("as sample 1", other),
                           ("beside candidates", beside),
                           ("with a seed", seeded)):
            yield "%s: %s" % (what, name), w.edited(name, recounted(edit))


# --- members of members ----------------------------------------------------

# Objects of which this page's other families take.
OTHERS = {"environment", "options", "policy", "match_key"}


def places(value, path=()):
    """Every member of an object within, but those of the outermost."""
    if isinstance(value, list):
        for i, item in enumerate(value[:1]):
            yield from places(item, path + (i,))
    elif isinstance(value, dict):
        for key, item in sorted(value.items()):
            if path:
                yield path + (key,)
            if path or key not in OTHERS:
                yield from places(item, path + (key,))


def without(*path):
    def edit(v):
        for step in path[:-1]:
            v = v[step]
        v.pop(path[-1])
    return edit


def nested_members(w):
    for name in ("suite", "submission", "baseline cuda", "score cuda",
                 "audit", "generation", "extracted", "derived"):
        for path in places(w.made[name].record):
            yield "%s: %s" % (name, ".".join(map(str, path))), w.edited(
                name, of_record(without(*path)))
    for name, i, member in (("evaluation cuda", 2, LINES),
                            ("evaluation cuda", ALTERNATE, LINES),
                            ("evaluation cpu", 0, LINES),
                            ("evaluation cpu", ALTERNATE, LINES),
                            ("baseline cuda", 1, LINES),
                            ("baseline cpu", 1, LINES),
                            ("generation", 0, LINES),
                            ("audit", 0, LINES)):
        for path in places(w.made[name].lines(member)[i]):
            yield "line %d of %s: %s" % (
                i + 1, name, ".".join(map(str, path))), w.edited(
                    name, of_line(i, without(*path), member))

