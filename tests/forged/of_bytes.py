"""Forgeries of bytes: the bag, and how JSON is written."""

import json
import os
import pathlib

from bend import FORGED, replace
from honest import BAGIT, LINES, RECORD, SCORES

# --- the bag ---------------------------------------------------------------

def not_rehashed(w):
    """Bytes edited, and the manifest left as it was."""
    edits = [
        ("baseline cpu", LINES, b'"time_ns":402000', b'"time_ns":202000'),
        ("evaluation cpu", LINES, b'"time_ns":302000', b'"time_ns":102000'),
        ("evaluation cpu", LINES, b'"status":"crashed"', b'"status":"correct"'),
        ("evaluation cuda", LINES, b'"time_ns":300000', b'"time_ns":100000'),
        ("evaluation cpu", RECORD, b'"Fixture 3000"', b'"Fixture 4000"'),
        ("score cpu", RECORD, b'"correct":2', b'"correct":3'),
        ("score cpu", SCORES, b'"candidate_ns":302000', b'"candidate_ns":102000'),
        ("audit", LINES, b'"sound":false', b'"sound":true '),
        ("suite", "data/problems/level1/1_Product.py", b"Model", b"Muddl"),
        ("suite", RECORD, b'"flops":137', b'"flops":037'),
        ("submission", "data/candidates/level1/problem1/sample0.py",
         b"ModelNew", b"ModelOld"),
        ("submission", RECORD, b'"sample_id":1', b'"sample_id":2'),
    ]
    for i, (name, member, old, new) in enumerate(edits):
        def edit(b, member=member, old=old, new=new):
            b.manifest = b.right_manifest()
            replace(member, old, new)(b)
        yield "%s in %s of %s" % (new.decode(), member, name), \
            w.edited(name, edit)


def whole_files(w):
    """Files that are there too much, too little or as something else."""
    name = "evaluation cpu"

    def rename(old, new):
        return lambda d: (d / old).rename(d / new)

    def add(new, data=b"more"):
        def bend(d):
            (d / new).parent.mkdir(parents=True, exist_ok=True)
            (d / new).write_bytes(data)
        return bend

    def link(member, target):
        def bend(d):
            data = (d / member).read_bytes()
            pathlib.Path("elsewhere").mkdir()
            pathlib.Path("elsewhere/file").write_bytes(data)
            (d / member).unlink()
            (d / member).symlink_to(target)
        return bend

    def link_directory(d):
        (d / "data").rename("elsewhere")
        (d / "data").symlink_to(pathlib.Path("elsewhere").resolve())

    def directory(member):
        def bend(d):
            (d / member).unlink()
            (d / member).mkdir()
        return bend

    def pipe(member):
        def bend(d):
            (d / member).unlink()
            os.mkfifo(d / member)
        return bend

    for member in (RECORD, LINES, "bagit.txt", "manifest-sha256.txt"):
        yield "%s removed" % member, w.on_disk(
            name, lambda d, m=member: (d / m).unlink())
        yield "%s a link to the same bytes outside" % member, w.on_disk(
            name, link(member, pathlib.Path("elsewhere/file").resolve()))
        yield "%s a directory" % member, w.on_disk(name, directory(member))
        yield "%s a pipe" % member, w.on_disk(name, pipe(member))
    yield "data a link", w.on_disk(name, link_directory)
    yield "results.jsonl renamed", w.on_disk(
        name, rename(LINES, "data/Results.jsonl"))
    yield "results.jsonl hidden", w.on_disk(
        name, rename(LINES, "data/.results.jsonl"))
    yield "manifest.json moved out of data", w.on_disk(
        name, rename(RECORD, "manifest.json"))
    yield "a member more", w.on_disk(name, add("data/notes.txt"))
    yield "a member more, hidden", w.on_disk(name, add("data/.notes"))
    yield "a file beside data", w.on_disk(name, add("README"))
    yield "a tag directory", w.on_disk(name, add("tags/notes"))
    yield "a second manifest", w.on_disk(name, add("manifest-md5.txt"))
    yield "an empty directory", w.on_disk(
        name, lambda d: (d / "data" / "empty").mkdir())
    yield "a file to fetch", w.on_disk(
        name, add("fetch.txt", b"http://x/ 1 data/y\n"))


def manifests(w):
    """The list of digests itself."""
    def changed(edit):
        def apply(b):
            b.manifest = edit(b.right_manifest())
        return w.edited("evaluation cpu", apply)

    def lines(edit):
        return changed(lambda m: b"".join(edit(m.splitlines(True))))

    yield "a digest changed", changed(
        lambda m: (b"0" if m[:1] != b"0" else b"1") + m[1:])
    yield "digests in upper case", changed(
        lambda m: m[:64].upper() + m[64:])
    yield "a line less", lines(lambda x: x[:1])
    yield "lines in another order", lines(lambda x: x[::-1])
    yield "a line twice", lines(lambda x: x[:1] + x)
    yield "one space less", changed(lambda m: m.replace(b"  ", b" ", 1))
    yield "a carriage return", changed(lambda m: m.replace(b"\n", b"\r\n"))
    yield "no line feed at its end", changed(lambda m: m[:-1])
    yield "an empty line", changed(lambda m: m + b"\n")
    yield "a comment", changed(lambda m: b"# " + m)
    yield "empty", changed(lambda m: b"")
    for other in (b"../evil", b"/etc/passwd", b"data/../x", b"data//x",
                  b"data/%0A", b"data/a b"):
        yield "a member called %s" % other.decode(), changed(
            lambda m, o=other: m + b"0" * 64 + b"  " + o + b"\n")
    for text in (b"", BAGIT[:-1], BAGIT.replace(b"1.0", b"0.97"),
                 BAGIT + b"\n", BAGIT.replace(b"\n", b"\r\n")):
        def bagit(b, text=text):
            b.bagit = text
        yield "bagit.txt is %r" % text.decode(), w.edited(
            "evaluation cpu", bagit)


def names(w):
    """A bundle that is called like another one's id."""
    for name in ("evaluation cpu", "baseline cpu", "suite"):
        def forge(name=name):
            other = w.made["submission"].id()
            w.made[name].write(FORGED / other)
            return [FORGED / other]
        yield "%s under the submission's id" % name, forge


# --- JSON ------------------------------------------------------------------

# The text of an integer, and what it may be smuggled in as.
NUMBERS = ["402000.0", "402000.5", "4.02e5", "402e3", "402E+3", "-0",
           "0402000", "+402000", "0x62250", "402000.", ".402", "NaN",
           "Infinity", "1e400", "9007199254740993", "\"402000\"", "true",
           "[402000]"]


def number_smuggling(w):
    for text in NUMBERS:
        yield "a time as %s" % text, w.edited(
            "baseline cpu", replace(LINES, b'"time_ns":402000',
                                    b'"time_ns":' + text.encode()))
    for text in ("1.0", "1e0", "01", "-0", "-1", "\"1\"", "null", "3"):
        yield "schema_version as %s" % text, w.edited(
            "baseline cpu", replace(RECORD, b'"schema_version":2',
                                    b'"schema_version":' + text.encode()))


def json_forms(w):
    """One value, another encoding: of a record, and of a line."""
    forms = [
        ("a space", lambda t: t.replace(b":", b": ", 1)),
        ("a tab before it", lambda t: b"\t" + t),
        ("a byte order mark", lambda t: b"\xef\xbb\xbf" + t),
        ("bytes after it", lambda t: t + b"{}"),
        ("a space after it", lambda t: t + b" "),
        ("a NUL after it", lambda t: t + b"\0"),
        ("cut off", lambda t: t[:-1]),
        ("a comma too much", lambda t: t[:-1] + b",}"),
        ("a comment", lambda t: b"/**/" + t),
        ("keys in another order", lambda t: reordered(t)),
        ("a key twice", lambda t: t[:-1] + b"," + t[1:]),
        ("a key twice, escaped", lambda t: t[:-1] + b',"\\u006bind":"x","\\u006bey":"x"}'),
        ("a letter escaped", lambda t: t.replace(b'"c', b'"\\u0063', 1)),
        ("a slash escaped", lambda t: t.replace(b"/", b"\\/", 1)),
        ("a lone surrogate", lambda t: t.replace(b'"eager"', b'"\\ud800"', 1)),
        ("bytes that are not UTF-8", lambda t: t.replace(b"eager", b"eag\xffr", 1)),
        ("an overlong character", lambda t: t.replace(b"eager", b"\xc1\xa5ager", 1)),
        ("single quotes", lambda t: t.replace(b'"eager"', b"'eager'", 1)),
        ("a control character", lambda t: t.replace(b"eager", b"ea\x01er", 1)),
        ("nothing at all", lambda t: b""),
        ("an array around it", lambda t: b"[" + t + b"]"),
        ("very deep", lambda t: b"[" * 80 + t + b"]" * 80),
    ]
    for name, form in forms:
        def of_whole(b, form=form):
            b.files[RECORD] = form(b.files[RECORD])

        def of_second(b, form=form):
            x = b.files[LINES].splitlines()
            x[1] = form(x[1])
            b.files[LINES] = b"".join(t + b"\n" for t in x)
        yield "%s: the record" % name, w.edited("baseline cpu", of_whole)
        yield "%s: a line" % name, w.edited("baseline cpu", of_second)


def reordered(text):
    value = json.loads(text)
    return json.dumps(dict(reversed(sorted(value.items()))),
                      separators=(",", ":"), ensure_ascii=False).encode()
