"""Forgeries of generations: what a model is said to have answered, and the
submissions that are said to come of it."""

import json

from bend import of_line, of_lines, of_record, set_to
from honest import CODE, PROMPTS, canonical, digest

G, S = "generation", "extracted"


def of_answer(edit):
    """An edit of what the first answer says; the line stays as it is."""
    def apply(line):
        value = json.loads(line["answer"])
        edit(value)
        line["answer"] = json.dumps(value)
    return of_line(0, apply)


def choice(value):
    return value["response"]["body"]["choices"][0]


def answers(w):
    """Answers that were written anew, or that the line does not go with."""
    for name, edit in (
            ("its code", lambda v: choice(v)["message"].update(
                content="```python\nclass ModelNew: fast\n```")),
            ("no code", lambda v: choice(v)["message"].update(content="No")),
            ("no text", lambda v: choice(v)["message"].update(content=None)),
            ("why it ended", lambda v: choice(v).update(
                finish_reason="length")),
            ("its tokens", lambda v: v["response"]["body"]["usage"].update(
                completion_tokens=7)),
            ("its model", lambda v: v["response"]["body"].update(
                model="model-2")),
            ("its server", lambda v: v["response"]["body"].update(
                system_fingerprint="fp_2")),
            ("a failure", lambda v: v.update(error="late")),
            ("another request", lambda v: v.update(
                custom_id=v["custom_id"][:-1] + "x")),
            ("another sample", lambda v: v.update(
                custom_id=v["custom_id"].replace("s0", "s1")))):
        yield "an answer with another of: %s" % name, w.edited(
            G, of_answer(edit))
    yield "an answer that is no JSON", w.edited(
        G, of_line(0, set_to("{", "answer")))
    yield "an answer that is not there", w.edited(
        G, of_line(0, set_to(None, "answer")))
    yield "a model that did not answer", w.edited(
        G, of_line(5, set_to("model-1", "model")))
    yield "an answer to what has none", w.edited(
        G, of_line(5, set_to("{}", "answer")))


def generated(w):
    """Lines, prompts and sums of which one is another."""
    for member, value in (("outcome", "no_code"), ("code", None),
                          ("finish_reason", "length"), ("seed", 8),
                          ("turn", 2), ("sample_id", 2), ("latency_ns", 1),
                          ("model", None), ("message", "m"),
                          ("request_sha256", "5a" * 32),
                          ("prompt_sha256", "5a" * 32)):
        yield "a line with %s %r" % (member, value), w.edited(
            G, of_line(0, set_to(value, member)))
    yield "a line dropped", w.edited(G, of_lines(lambda x: x.pop(1)))
    yield "a line twice", w.edited(G, of_lines(lambda x: x.insert(1, x[0])))
    yield "lines exchanged", w.edited(
        G, of_lines(lambda x: x.insert(0, x.pop(1))))
    yield "a prompt dropped", w.edited(
        G, of_lines(lambda x: x.pop(0), PROMPTS))
    yield "a prompt that nobody was asked", w.edited(
        G, of_lines(more_prompt, PROMPTS))

    def easier(prompts):
        prompts[0]["messages"][1]["content"] += " Here is how."
    yield "a prompt edited", w.edited(G, of_lines(easier, PROMPTS))

    def easier_and_named(b):
        prompts = b.lines(PROMPTS)
        easier(prompts)
        old = prompts[0]["sha256"]
        new = digest(canonical(prompts[0]["messages"]))
        prompts[0]["sha256"] = new
        b.set_lines(sorted(prompts, key=lambda p: p["sha256"]), PROMPTS)
        lines = b.lines()
        for line in lines:
            if line["prompt_sha256"] == old:
                line["prompt_sha256"] = new
        b.set_lines(lines)
    yield "a prompt edited, and named anew", w.edited(G, easier_and_named)
    for member, value in (
            ("outcomes", {"code": 4}), ("input_tokens", 100),
            ("output_tokens", 40), ("cost_nano", 0), ("cost_nano", None),
            ("without_usage", 1), ("latency_ns", 2)):
        yield "totals: %s %r" % (member, value), w.edited(
            G, of_record(set_to(value, "totals", member)))
    yield "cheaper", w.edited(
        G, of_record(set_to("1", "prices", "output_per_million")))


def more_prompt(prompts):
    text = [{"role": "user", "content": "more"}]
    prompts.append({"messages": text, "sha256": digest(canonical(text))})
    prompts.sort(key=lambda p: p["sha256"])


def settings(w):
    """Settings that are not those that requests were made by."""
    for member, value in (
            ("model", "model-9"), ("backend", "native-c"), ("seed", 0),
            ("seed", None), ("samples_per_problem", 1),
            ("sampling", "{}"), ("sampling", '{"temperature":0}'),
            ("problems", ["1/1"]), ("hardware", "H200"),
            ("extraction", "blocks-0")):
        yield "%s %r" % (member, value), w.edited(
            G, of_record(set_to(value, member)))
    for option, value in (
            ("model", "model-9"), ("temperature", "0.8"), ("seed", "8"),
            ("samples", "3"), ("system", "Be brief."), ("price-input", "1"),
            ("best-of", "3")):
        yield "option %s %r" % (option, value), w.edited(
            G, of_record(set_to(value, "options", option)))
    yield "made by kb-eval", w.edited(
        G, of_record(set_to("kb-eval", "tool", "name")))


def extracted(w):
    """Submissions that say to come of it."""
    def candidate(index, text):
        def apply(b):
            record = b.record
            c = record["candidates"][index]
            b.files[c["file"]] = text
            c.update(sha256=digest(text), size_bytes=len(text))
            b.record = record
        return apply

    def drop(b):
        record = b.record
        b.files.pop(record["candidates"].pop(1)["file"])
        b.record = record
    yield "a candidate mended", w.edited(S, candidate(0, CODE + b"# fast\n"))
    yield "a candidate where there was none", w.edited(S, candidate(1, CODE))
    yield "an attempt dropped", w.edited(S, drop)
    for member, value in (("model", "model-2"), ("temperature", "0.0"),
                          ("seed", None), ("samples_per_problem", 1),
                          ("max_tokens", 4096), ("top_p", "0.9"),
                          ("prompt_sha256", "5a" * 32),
                          ("source_format", "folder"), ("parents", [])):
        yield "%s %r" % (member, value), w.edited(
            S, of_record(set_to(value, member)))
