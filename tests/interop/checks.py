"""checks.py TOOL ARG...: what one tool of others says of what kb wrote.

Prints what is wrong and exits 1, or prints one line: tool, version, on what.
Each check imports its own tool, which is alone in its environment.
"""
import hashlib
import importlib.metadata
import json
import pathlib
import sys


def bagit(*bags):
    import bagit
    for bag in bags:
        yield from _raised(bag, lambda: bagit.Bag(bag).validate())
    return f"{len(bags)} bundles"


def rfc8785(*bags):
    """Records and lines are canonical, and a bundle's name is what sha256
    makes of the list of its files."""
    import rfc8785
    count = 0
    for bag in map(pathlib.Path, bags):
        listed = (bag / "manifest-sha256.txt").read_bytes()
        if hashlib.sha256(listed).hexdigest() != bag.name:
            yield f"{bag}: its id is another"
        texts = [(bag / "data/manifest.json").read_bytes()]
        for lines in bag.glob("data/*.jsonl"):
            texts += lines.read_bytes().splitlines()
        for text in texts:
            count += 1
            if rfc8785.dumps(json.loads(text)) != text:
                yield f"{bag}: not canonical: {text[:60]}"
    return f"{count} records and lines, {len(bags)} ids"


def roc_validator(crate):
    """Whatever is required, and of what is recommended all but what nobody
    told kb: an author's affiliation, and how to reach one."""
    from rocrate_validator import models, services
    _serve_context()
    result = services.validate({
        "rocrate_uri": crate, "profile_identifier": "ro-crate-1.2",
        "requirement_severity": models.Severity.RECOMMENDED,
    })
    unknown = ("affiliation", "contactPoint")
    left = 0
    for issue in result.get_issues():
        if (issue.severity == models.Severity.RECOMMENDED and
                any(word in issue.message for word in unknown)):
            left += 1
        else:
            yield f"{issue.severity.name}: {issue.message}"
    required = sum(check.severity == models.Severity.REQUIRED
                   for check in result.executed_checks)
    recommended = len(result.executed_checks) - required
    return (f"{required} required checks, {recommended} recommended ones, "
            f"of which {left} want what nobody says")


def _serve_context():
    """The context of a crate is at an address. Where that cannot be reached
    the one does that rocrate brings, of the same terms."""
    import pathlib
    import requests
    import rocrate
    from rocrate_validator.utils.http import HttpRequester
    own = pathlib.Path(rocrate.__file__).parent / "data/ro-crate.jsonld"
    address = "https://w3id.org/ro/crate/1.2/context"
    try:
        requests.get(address, timeout=10).raise_for_status()
        return
    except requests.RequestException:
        print("# the context is rocrate's own: no network")

    def get(_, url, **__):
        answer = requests.Response()
        answer.status_code = 200 if url == address else 404
        answer.headers["Content-Type"] = "application/ld+json"
        answer._content = own.read_bytes()
        answer.url = url
        return answer
    HttpRequester.get = HttpRequester.head = get


def rocrate(crate):
    from rocrate.rocrate import ROCrate
    opened = ROCrate(crate)
    entities = {e.id for e in opened.get_entities()}
    for entity in opened.get_entities():
        for key, value in entity.properties().items():
            for one in value if isinstance(value, list) else [value]:
                target = one.get("@id") if isinstance(one, dict) else None
                if (target and not target.startswith("https://w3id.org/") and
                        opened.dereference(target) is None):
                    yield f"{entity.id}: {key} is {target}, which is nowhere"
    return f"{len(entities)} entities, every reference is to one of them"


def securesystemslib(public_key, envelope):
    from cryptography.hazmat.primitives.serialization import (
        load_pem_public_key)
    from securesystemslib.dsse import Envelope
    from securesystemslib.signer import SSlibKey
    key = load_pem_public_key(pathlib.Path(public_key).read_bytes())
    sealed = json.loads(pathlib.Path(envelope).read_text())
    keyid = sealed["signatures"][0]["keyid"]
    signed = Envelope.from_dict(sealed)  # which empties what it is given
    signer = SSlibKey.from_crypto(key, keyid=keyid)
    yield from _raised(envelope, lambda: signed.verify([signer], 1))
    signed.payload += b" "
    if not list(_raised(envelope, lambda: signed.verify([signer], 1))):
        yield "another payload passes, too"
    return "a signature in a DSSE envelope, and not of another payload"


def _raised(what, call):
    try:
        call()
    except Exception as why:  # a tool's own, of which each has others
        yield f"{what}: {type(why).__name__}: {why}"


def main(tool, *arguments):
    check = globals()[tool.replace("-", "_")](*arguments)
    bad = 0
    while True:
        try:
            print(next(check))
            bad = 1
        except StopIteration as end:
            print(f"{tool} {importlib.metadata.version(tool)}: {end.value}")
            return bad


if __name__ == "__main__":
    # A check is named as its tool, which must not be this file's folder.
    sys.path.pop(0)
    sys.exit(main(*sys.argv[1:]))
