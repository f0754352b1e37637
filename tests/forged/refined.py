"""A generation of two turns, made by kb-generate from answers written here and
judged by the honest evaluation on a GPU, and its submission."""

import json
import pathlib

from honest import candidate_text

OPTIONS = ("--prompts", "p.jsonl", "--backend", "triton", "--samples", "2",
           "--problems", "1/1,1/3", "--turns", "2", "--goal", "1000x", "--history", "best",
           "--feedback", "status,log,values,times", "--budget-tokens", "1000",
           "--budget-cost", "0.5", "--price-input", "2", "--price-output",
           "8")


def answers(turn):
    """To the requests that are open: candidates of the honest submission, and
    then nothing."""
    text = pathlib.Path("g/requests-0001.jsonl").read_text()
    for line in map(json.loads, text.splitlines()):
        level, problem, sample = (int(part[1:]) for part in
                                  line["custom_id"].split("-")[:3])
        code = candidate_text("%d/%d" % (level, problem), sample).decode()
        content = "```python\n%s```\n" % code if turn == 1 else "No."
        yield json.dumps({"custom_id": line["custom_id"], "response": {
            "status_code": 200, "body": {
                "choices": [{"finish_reason": "stop",
                             "message": {"content": content}}],
                "usage": {"prompt_tokens": 50, "completion_tokens": 20}}}})


def refined(run, made):
    """Ids of generation and submission in `store`. `run` is given a command and
    returns its status and what it prints."""
    def do(*words):
        status, text = run("kb-generate", *words, "--dir", "g", "--store",
                           "store")
        if status:
            raise SystemExit("kb-generate: " + text)
        return text.split()

    pathlib.Path("p.jsonl").write_text("".join(
        json.dumps({"problem": key, "messages": [
            {"role": "user", "content": "Write %s again." % key}]}) + "\n"
        for key in ("1/1", "1/3")))
    do("ask", made["suite"].id(), "model-1", "--against",
       made["baseline cuda"].id(), *OPTIONS)
    for turn in (1, 2):
        pathlib.Path("a.jsonl").write_text("".join(
            line + "\n" for line in answers(turn)))
        do("take", "a.jsonl")
        said = do("tell", *([made["evaluation cuda"].id()] if turn == 1
                            else []))
    return said[said.index("generation") - 1], said[-1]
