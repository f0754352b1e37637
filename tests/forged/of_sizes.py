"""Forgeries of a suite that is derived from another by sizes."""

import honest
from bend import of_record, replace, set_to
from honest import digest

FIRST = "data/problems/level1/1_Product.py"


def refile(member, old, new):
    """Change a file, and what the record says of it."""
    def apply(bundle):
        replace(member, old, new)(bundle)
        text, record = bundle.files[member], bundle.record
        for problem in record["problems"]:
            if problem["file"] == member:
                problem.update(sha256=digest(text), size_bytes=len(text))
        bundle.record = record
    return apply


def both(*edits):
    def apply(bundle):
        for edit in edits:
            edit(bundle)
    return apply


def sizes(w):
    """What the record says was changed, against the files."""
    def size(name, *edits):
        return name, w.edited("derived", both(*edits))

    def of(index, value, member):
        return of_record(set_to(value, "sizes", index, member))

    yield size("another size than the file's", of(0, 68, "after"))
    yield size("another size than the parent's", of(0, 63, "before"))
    yield size("a size that stays", of(0, 67, "before"))
    yield size("a size of nothing", of(0, 0, "after"))
    yield size("a constant that there is not", of(0, "a", "constant"))
    yield size("a constant that is computed", of(1, "k", "constant"),
               of_record(lambda r: r["sizes"].insert(
                   0, r["sizes"].pop(1))))
    yield size("a constant that is no name", of(0, "m = 1; m", "constant"))
    yield size("a change that is not told",
               of_record(lambda r: r["sizes"].pop(0)))
    yield size("a problem without a change",
               of_record(lambda r: r["sizes"].pop(2)))
    yield size("a change of no problem",
               of_record(lambda r: r["sizes"].append(
                   dict(r["sizes"][2], key="2/1", level=2, problem_id=1))))
    yield size("a change that is told twice",
               of_record(lambda r: r["sizes"].insert(0, r["sizes"][0])))
    yield size("changes that are not sorted",
               of_record(lambda r: r["sizes"].reverse()))
    yield size("no changes", of_record(set_to([], "sizes")))
    yield size("changes of what has no parent",
               of_record(set_to([], "parents")))
    yield size("a parent and no changes",
               of_record(lambda r: r.pop("sizes")))
    yield size("ranks that the parent has not", of_record(set_to(2, "world")))
    yield size("a module that the parent has not", with_module)


def with_module(bundle):
    """That is in the record and in the bundle."""
    member, data = "data/modules/utils/x.py", b"x = 1\n"
    bundle.files[member] = data
    of_record(set_to([{"file": member, "sha256": digest(data),
                       "size_bytes": len(data)}], "modules"))(bundle)


def sized_files(w):
    """Code that is not the parent's."""
    def file(name, old, new):
        return name, w.edited("derived", refile(FIRST, old, new))

    yield file("another size than is told", b"m = 67", b"m = 68")
    yield file("a size that is told, as text", b"m = 67", b"m = '67'")
    yield file("code beside the sizes", b"k = n * 2", b"k = n * 3")
    yield file("a comment", b"k = n * 2", b"k = n * 2  # easy")
    yield file("a docstring", b"n = 1", b"n = 2")
    yield file("an empty line less", b"\n\n\n", b"\n\n")
    yield file("a size once more", b"k = n", b"m = 1\nk = n")
    yield "facts", w.edited("derived", of_record(set_to(
        honest.PROBLEMS["1/1"][1], "problems", 0, "facts")))
    yield "a collective", w.edited("derived", both(
        of_record(set_to(2, "world")),
        of_record(set_to({"operation": "broadcast", "elements": 4},
                         "problems", 0, "collective"))))
    yield "in another language", w.edited("derived", both(
        of_record(lambda r: r["problems"][0].update(
            runtime="native", file=FIRST[:-2] + "c")),
        lambda b: b.files.update({FIRST[:-2] + "c": b.files.pop(FIRST)})))
    yield "under another name", w.edited("derived", both(
        of_record(lambda r: r["problems"][0].update(
            name="1_Sum", file=FIRST.replace("Product", "Sum"))),
        lambda b: b.files.update(
            {FIRST.replace("Product", "Sum"): b.files.pop(FIRST)})))


def sized_remedies(w):
    """Alternate inputs that are not the parent's."""
    def of(name, *edits):
        return name, w.edited("derived all", of_record(both(*edits)))

    def put(index, value):
        return lambda r: r["problems"][index].update(remedy=value)

    remedy = honest.REMEDIED["1/3"]
    yield of("another scale", put(2, [dict(remedy[0], scale="1")]))
    yield of("a number in another spelling", put(2, [dict(remedy[0], shift="-1.0")]))
    yield of("of another argument", put(2, [dict(remedy[0], argument=1)]))
    yield of("of two arguments", put(2, remedy + [dict(remedy[0], argument=1)]))
    yield of("of a problem without", put(0, remedy))
    yield of("of another problem", put(0, remedy),
             lambda r: r["problems"][2].pop("remedy"))
    yield "of gradients", w.edited("gradients", of_record(put(0, remedy)))
    yield "without a parent", w.edited("sized", of_record(put(2, remedy)))


def sized_parents(w):
    def parent(bundle):
        return of_record(set_to([{"kind": bundle.record["kind"],
                                  "id": bundle.id()}], "parents"))

    yield "another suite", w.edited("derived", parent(w.made["suite"]))
    yield "a submission", w.edited("derived", parent(w.made["submission"]))
    yield "a submission that is called a suite", w.edited(
        "derived", of_record(set_to([{
            "kind": "suite", "id": w.made["submission"].id()}], "parents")))
    yield "itself derived", w.edited("derived", both(
        parent(w.made["derived"]),
        of_record(set_to(67, "sizes", 0, "before")),
        of_record(set_to(71, "sizes", 0, "after")),
        refile(FIRST, b"m = 67", b"m = 71"),
        of_record(set_to(4099, "sizes", 1, "before")),
        of_record(set_to(4098, "sizes", 1, "after")),
        refile(FIRST, b"n = 4099", b"n = 4098"),
        of_record(lambda r: (r["sizes"].pop(2), r["problems"].pop(1))),
        lambda b: b.files.pop("data/problems/level1/2_ReLU.py")))
    yield "another version", w.edited(
        "derived", of_record(set_to("2", "version")))
    yield "no version", w.edited("derived", of_record(set_to(None, "version")))
    yield "another commit", w.edited(
        "derived", of_record(set_to("5b" * 20, "upstream_commit")))
    yield "no commit", w.edited(
        "derived", of_record(set_to(None, "upstream_commit")))
