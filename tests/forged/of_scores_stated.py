"""Forgeries of what a score states of itself: how much of the suite it is of,
under which tolerance, how far its baseline has drifted."""

from bend import of_record, set_to

OTHERS = {
    "selected": [3, 5, 0],
    "suite_problems": [3, 5, None],
    "left_out": [["1/3"], None],
    "derived_from": ["5a" * 32],
    "derived_by": ["backward"],
    "unsound": [0, 2, None],
    "not_audited": [1, None],
    "tolerance": ["paper", "precise", "another", None],
    "error_multiple": [1, 8],
    "limits": [[]],
    "drift": [None],
}


def one_untimed(r):
    """One less has a time, in all that says so."""
    m = r["overall"]
    m["untimed"] += 1
    for fast in m["fast"]:
        fast["count"] = min(fast["count"], m["correct"] - m["untimed"])
        fast["certain"] = min(fast["certain"], fast["count"])


def stated(w):
    for name in ("score cpu", "score cuda"):
        def bent(edit, name=name):
            return w.edited(name, of_record(edit))

        known = w.made[name].record["stated"]
        for member, values in OTHERS.items():
            for value in values:
                assert known.get(member) != value
                yield "%s: %s is %s" % (name, member, value), bent(
                    set_to(value, "stated", member))
        for i, limit in enumerate(known["limits"]):
            for part in ("atol", "rtol"):
                yield "%s: %s of %d bits" % (name, part, limit["bits"]), \
                    bent(set_to("0.5", "stated", "limits", i, part))
        for member in known["drift"]:
            for value in (1000001, None):
                yield "%s: drift's %s is %s" % (name, member, value), \
                    bent(set_to(value, "stated", "drift", member))
        yield "%s: untimed" % name, bent(set_to(1, "overall", "untimed"))
        yield "%s: untimed of a level" % name, bent(
            set_to(1, "levels", 0, "untimed"))
        yield "%s: one more is untimed" % name, bent(one_untimed)
