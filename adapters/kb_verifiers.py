"""An environment of `verifiers` 0.1, and so of prime-rl, whose rewards are kb-serve's:

    env = kb_verifiers.load_environment("/tmp/kb.sock", "rows.jsonl")

Each row has `question`, what the model is asked, and `info` with `problem`, a key such
as "1/19". kb-serve runs with --reward FORMULA."""

import asyncio
import json

import verifiers as vf

import kb_serve
import kb_serve_async


if not hasattr(vf, "Rubric"):
    raise ImportError("kb_verifiers needs verifiers 0.1: pip install 'verifiers<0.2'")


def text_of(completion):
    """A completion is a text, or messages of which the last is the answer, as a text
    or parts."""
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    if isinstance(text, list):
        return "".join(part.get("text") or "" for part in text)
    return text or ""


def load_environment(socket, rows, policy="screen", without=0.0, **kwargs):
    opened = {}

    def client():
        """A connection belongs to one event loop, and ends with its server."""
        loop, ours = asyncio.get_running_loop(), opened.get("client")
        if opened.get("loop") is not loop or (ours.done() and (
                ours.cancelled() or ours.exception() or ours.result().is_closed())):
            opened["loop"] = loop
            opened["client"] = loop.create_task(kb_serve_async.Client.open(socket))
        return asyncio.shield(opened["client"])

    async def verdict(completion, info, state):
        """Asked once for each completion, whoever wants it first."""
        if "kb" not in state:
            if isinstance(info, str):
                info = json.loads(info)
            request = {"problem": info["problem"], "answer": text_of(completion),
                       "policy": policy}
            try:
                state["kb"] = await (await client()).ask(**request)
            except ConnectionError:
                state["kb"] = await (await client()).ask(**request)
        return state["kb"]

    async def kb_reward(completion, info, state):
        answer = await verdict(completion, info, state)
        return float(kb_serve.reward_of(answer, without))

    async def correct(completion, info, state):
        return float((await verdict(completion, info, state)).get("status") ==
                     "correct")

    async def speedup(completion, info, state):
        return (await verdict(completion, info, state)).get("speedup") or 0.0

    with open(rows, encoding="utf-8") as file:
        dataset = [json.loads(line) for line in file]
    rubric = vf.Rubric(funcs=[kb_reward, correct, speedup], weights=[1.0, 0.0, 0.0])
    return vf.SingleTurnEnv(dataset=vf_dataset(dataset), rubric=rubric, **kwargs)


def vf_dataset(rows):
    from datasets import Dataset  # verifiers brings it
    return Dataset.from_list(rows)
