"""Forgeries of who belongs to whom: parents, scores, signatures."""

import json
import pathlib
import shutil

from bend import FORGED, of_line, of_record, set_to
from honest import RECORD, SCORES, canonical

# --- match keys and parents ------------------------------------------------

def match_keys(w):
    """A match key that is not that of the environment."""
    for name in ("evaluation cuda", "baseline cuda"):
        for field in sorted(w.made[name].record["match_key"]):
            yield "%s: %s" % (name, field), w.edited(
                name, of_record(set_to("another", "match_key", field)))
    yield "evaluation cpu: a field more", w.edited(
        "evaluation cpu", of_record(set_to("yes", "match_key", "cpu.fast")))


def parents(w):
    """Parents that are others than they were, or swapped."""
    ids = {name: b.id() for name, b in w.made.items()}

    def parent(name, index, other):
        return w.edited(name, of_record(set_to(ids[other], "parents", index,
                                               "id")))
    yield "a score of a CPU's evaluation by an H200's baseline", \
        parent("score cpu", 1, "baseline cuda")
    yield "a score of an H200's evaluation by a CPU's baseline", \
        parent("score cuda", 1, "baseline cpu")
    yield "a score of another evaluation", \
        parent("score cpu", 0, "evaluation cuda")
    yield "a score of a suite", parent("score cpu", 0, "suite")
    yield "a score by an evaluation", parent("score cpu", 1,
                                             "evaluation cpu")
    yield "a baseline of a submission", parent("baseline cpu", 0,
                                               "submission")
    yield "an evaluation of a baseline", parent("evaluation cpu", 0,
                                                "baseline cpu")
    yield "an evaluation of a suite as submission", \
        parent("evaluation cpu", 1, "suite")
    yield "an audit of an audit", parent("audit", 0, "audit")
    for name in ("evaluation cpu", "score cpu"):
        yield "%s: parents exchanged" % name, w.edited(
            name, of_record(lambda r: r["parents"].reverse()))
        yield "%s: one parent" % name, w.edited(
            name, of_record(lambda r: r["parents"].pop()))
        yield "%s: a parent more" % name, w.edited(
            name, of_record(lambda r: r["parents"].append(r["parents"][0])))
    yield "a suite with a parent", w.edited(
        "suite", of_record(set_to([{"kind": "suite", "id": "5a" * 32}],
                                  "parents")))
    yield "a score whose parents are nowhere", w.edited(
        "score cpu", of_record(set_to(
            [{"kind": "evaluation", "id": "5a" * 32},
             {"kind": "baseline", "id": "5b" * 32}], "parents")))

    def other_suite(device):
        def forge():
            store = pathlib.Path("elsewhere")
            e = w.made["evaluation " + device].copy()
            e.record = dict(e.record, parents=[
                {"kind": "suite", "id": "52" * 32}, e.record["parents"][1]])
            for b in (e, w.made["baseline " + device]):
                b.write(store / b.id())
            s = w.made["score " + device].copy()
            s.record = dict(s.record, parents=[
                {"kind": "evaluation", "id": e.id()},
                s.record["parents"][1]])
            s.write(FORGED)
            return ["--store", store, FORGED]
        return forge
    for device in ("cpu", "cuda"):
        yield "a score of two suites, %s" % device, other_suite(device)

    def other_stack(field, device):
        """The baseline of another GPU, said to be of this one nowhere."""
        def forge():
            store = pathlib.Path("elsewhere")
            b = w.made["baseline " + device].copy()
            r = b.record
            section, fact = field.split(".")
            r["environment"][section][fact] = "another"
            r["match_key"][field] = "another"
            b.record = r
            for x in (b, w.made["evaluation " + device], w.made["suite"]):
                x.write(store / x.id())
            s = w.made["score " + device].copy()
            s.record = dict(s.record, parents=[
                s.record["parents"][0],
                {"kind": "baseline", "id": b.id()}])
            s.write(FORGED)
            return ["--store", store, FORGED]
        return forge
    for field in ("gpu.name", "driver.version", "torch.version"):
        yield "a score by a baseline with another %s" % field, \
            other_stack(field, "cuda")
    yield "a score by a baseline with another cpu.model", \
        other_stack("cpu.model", "cpu")


# --- scores ----------------------------------------------------------------

def scores(w):
    """A score better than it was judged, at every place that there is."""
    name = "score cpu"

    def bump(*path):
        def edit(r):
            for step in path[:-1]:
                r = r[step]
            was = r[path[-1]]
            r[path[-1]] = 1 if was is None else was + 1
        return edit

    for where, path in [("overall", ("overall",)), ("level 1",
                                                    ("levels", 0))]:
        for member in ("geomean_speedup_micro", "geomean_low_micro",
                       "geomean_high_micro"):
            yield "%s of %s" % (member, where), w.edited(
                name, of_record(bump(*path, member)))
        for i in range(6):
            for field in ("count", "certain", "undecided"):
                yield "%s of p %d of %s" % (field, i, where), w.edited(
                    name, of_record(bump(*path, "fast", i, field)))
    yield "one problem less", w.edited(name, of_record(
        set_to(3, "overall", "problems")))
    for member, value in (("preset", "leaderboard"), ("preset", "best"),
                          ("clock", "device"), ("sample_id", 1),
                          ("speedup", "as told"), ("problems", "sound"),
                          ("problems", "all"), ("problems", 1),
                          ("backend", "torch"), ("backend", "Torch"),
                          ("backend", None)):
        yield "definition: %s %s" % (member, value), w.edited(
            name, of_record(set_to(value, "definition", member)))
    yield "definition: a switch less", w.edited(
        name, of_record(lambda r: r["definition"].pop("speedup")))
    yield "another match key", w.edited(name, of_record(
        set_to("Fixture 9000", "match_key", "cpu.model")))
    yield "options", w.edited(name, of_record(set_to("7", "options",
                                                     "sample")))
    for model in ("famous-9", ""):
        yield "model '%s'" % model, w.edited(name, of_record(
            set_to(model, "model")))
    yield "a mismatch allowed that is none", w.edited(name, of_record(set_to(
        [{"field": "cpu.model", "evaluation": "a", "baseline": "b"}],
        "allowed_mismatches")))
    yield "a warning", w.edited(name, of_record(set_to(
        [{"warning": "drift", "limit_ppm": 30000, "median_micro": 1500000,
          "problems": 2}], "warnings")))
    for i, line in enumerate(w.made[name].lines(SCORES)):
        for member in sorted(line):
            if isinstance(line[member], int) and member.endswith(
                    ("_ns", "_micro")):
                yield "%s of line %d" % (member, i + 1), w.edited(
                    name, of_line(i, bump(member), SCORES))
    yield "a failure called correct", w.edited(
        name, of_line(2, set_to("correct", "status"), SCORES))


def sound_alone(w):
    """A score of the sound problems, of others than the suite's audit finds."""
    def forge(edit):
        def make():
            s = w.score(w.made["evaluation cpu"], w.made["baseline cpu"],
                        "store", "--problems", "sound")
            edit(s)
            s.write(FORGED)
            return [FORGED]
        return make

    def all_that_counts(r):
        for of in (r["overall"], *r["levels"]):
            of["problems"] += 1
            counts = of["status_counts"]
            counts["missing"] = counts.get("missing", 0) + 1

    for what, edit in (
            ("called one of all", of_record(lambda r: (
                r["definition"].pop("problems"),
                r["options"].pop("problems")))),
            ("options of all", of_record(
                lambda r: r["options"].pop("problems"))),
            ("nothing left out", of_record(set_to(0, "stated", "unsound"))),
            ("one not audited", of_record(set_to(1, "stated",
                                                 "not_audited"))),
            ("made without the suite", of_record(lambda r: r["stated"].update(
                suite_problems=None, left_out=None, unsound=None,
                not_audited=None))),
            ("by the leaderboard's preset", of_record(
                set_to("leaderboard", "definition", "preset"))),
            ("a problem more", of_record(all_that_counts))):
        yield what, forge(edit)


def stood_on(w):
    """A score as it was judged, and parents that were bent where judging again
    does not look."""
    def forge(device, of, edit, also=lambda store, bundles: None):
        def make():
            store = pathlib.Path("elsewhere")
            bundles = {k: w.made[k].copy() for k in (
                "evaluation " + device, "baseline " + device, "suite",
                "submission", "score " + device)}
            for name in of.split(" and "):
                edit(bundles["%s %s" % (name, device)])
            s = bundles.pop("score " + device)
            s.record = dict(s.record, parents=[
                {"kind": k, "id": bundles["%s %s" % (k, device)].id()}
                for k in ("evaluation", "baseline")])
            for b in bundles.values():
                b.write(store / b.id())
            also(store, bundles)
            s.write(FORGED)
            return ["--store", store, FORGED]
        return make

    bends = [
        ("correct beside a mismatch", "evaluation", of_line(
            0, set_to(3, "outputs", 0, "mismatched"))),
        ("nothing compared", "evaluation", of_line(
            0, set_to(None, "outputs"))),
        ("no seeds", "evaluation", of_line(0, set_to([], "trial_seeds"))),
        ("no seeds", "baseline", of_line(1, set_to([], "trial_seeds"))),
        ("no alternate inputs", "evaluation", of_line(
            4, lambda x: x.pop("alternate_inputs"))),
        ("another candidate", "evaluation", of_line(
            0, set_to("5a" * 32, "candidate_sha256"))),
        ("a tolerance that there is not", "evaluation", of_record(
            lambda r: (r["policy"].update(tolerance="whatever"),
                       r["options"].update(tolerance="whatever")))),
        ("no policy", "baseline", of_record(set_to({}, "policy"))),
        ("no wall time", "evaluation", of_line(2, set_to(0, "wall_ns"))),
        ("options that select less", "evaluation", of_record(
            set_to("1/1,1/2", "options", "problems"))),
        ("options that select less", "baseline", of_record(
            set_to("1", "options", "levels"))),
        ("another tool", "evaluation", of_record(
            set_to("kb-pack", "tool", "name"))),
        ("another device", "baseline", of_record(
            set_to("tpu", "options", "device"))),
        ("an environment of another machine", "evaluation and baseline",
         of_record(set_to("Other", "environment", "cpu", "model"))),
    ]
    for device in ("cpu", "cuda"):
        for what, of, edit in bends:
            yield "%s: %s %s" % (what, of, device), forge(device, of, edit)
        for kind in ("suite", "submission"):
            def damage(store, bundles, kind=kind):
                with open(store / bundles[kind].id() / RECORD, "a") as f:
                    f.write(" ")
            yield "a damaged %s, %s" % (kind, device), forge(
                device, "evaluation", lambda b: None, damage)
    for what, edit in (
            ("what is sound", lambda r: (r.pop("sound"),
                                         r["definition"].pop("sound"))),
            ("another tool", set_to("kb-eval", "tool", "name"))):
        yield "the score itself: " + what, w.edited("score cpu",
                                                    of_record(edit))


# --- signatures ------------------------------------------------------------

def signatures(w):
    """Somebody's word for something else."""
    def signed(bend, bundle="evaluation cpu", key="alice"):
        def forge():
            b = w.made[bundle]
            path = FORGED / b.id()
            b.write(path)
            w.run(w.bin / "kb-sign", w.keys / (key + ".pem"), path)
            shutil.copy(w.keys / "alice.pub", "alice.pub")
            envelope = next(FORGED.glob("*.dsse.json"))
            envelope.chmod(0o644)  # it is read-only, but to root
            bend(FORGED, envelope)
            return ["--public-key", "alice.pub", path]
        return forge

    def edited(edit):
        def bend(folder, path):
            value = json.loads(path.read_bytes())
            edit(value)
            path.write_bytes(canonical(value))
        return bend

    def of_other(folder, path):
        other = w.made["baseline cpu"]
        other.write(folder / other.id())
        w.run(w.bin / "kb-sign", w.keys / "alice.pem",
              folder / other.id())
        next(folder.glob(other.id() + ".*.dsse.json")).rename(path)

    def of_bob(folder, path):
        w.run(w.bin / "kb-sign", w.keys / "bob.pem",
              next(p for p in folder.iterdir() if p.is_dir()))
        next(p for p in folder.glob("*.dsse.json") if p != path).rename(path)

    def twice(value):
        value["signatures"] *= 2

    def other_character(text, at):
        return text[:at] + ("B" if text[at] == "A" else "A") + text[at + 1:]

    yield "none", signed(lambda folder, path: path.unlink())
    yield "by another key", signed(lambda folder, path: None, key="bob")
    yield "another key's, renamed", signed(of_bob)
    yield "another bundle's, renamed", signed(of_other)
    yield "cut off", signed(
        lambda folder, path: path.write_bytes(path.read_bytes()[:100]))
    yield "empty", signed(lambda folder, path: path.write_bytes(b""))
    yield "no signatures in it", signed(edited(set_to([], "signatures")))
    yield "two signatures in it", signed(edited(twice))
    yield "another type of payload", signed(
        edited(set_to("text/plain", "payloadType")))
    yield "a member more", signed(edited(set_to(1, "trusted")))
    for at in (0, 20, 60):
        yield "a character of the signature, %d" % at, signed(edited(
            lambda v, at=at: v["signatures"][0].update(
                sig=other_character(v["signatures"][0]["sig"], at))))
    for at in (3, 100, 300):
        yield "a character of the payload, %d" % at, signed(edited(
            lambda v, at=at: v.update(
                payload=other_character(v["payload"], at))))
    yield "another keyid", signed(edited(
        lambda v: v["signatures"][0].update(keyid="5a" * 32)))

    def resigned(along):
        """The bundle edited and hashed again, and its signature kept: under
        the old name of both, or under the new one."""
        def forge():
            b = w.made["evaluation cpu"]
            edited = b.copy()
            of_record(set_to("7", "options", "seed"))(edited)
            b.write(FORGED / b.id())
            w.run(w.bin / "kb-sign", w.keys / "alice.pem",
                  FORGED / b.id())
            shutil.copy(w.keys / "alice.pub", "alice.pub")
            shutil.rmtree(FORGED / b.id())
            name = edited.id() if along else b.id()
            edited.write(FORGED / name)
            if along:
                path = next(FORGED.glob("*.dsse.json"))
                path.rename(FORGED / path.name.replace(b.id(), name))
            return ["--public-key", "alice.pub", FORGED / name]
        return forge
    yield "of the bundle before it was edited", resigned(False)
    yield "of the bundle before it was edited, renamed", resigned(True)
