"""An environment of `verifiers` 0.1 to 0.3 whose rewards are kb-serve's:

    env = kb_verifiers.load_environment("/tmp/kb.sock", "rows.jsonl")

Each row has `question`, what the model is asked, and `info` with `problem`, a key such
as "1/19". kb-serve runs with --reward FORMULA."""

import json

import verifiers as vf

import kb_serve
import kb_serve_async


if not hasattr(vf, "Rubric"):
    raise ImportError("kb_verifiers needs verifiers before 0.4: see kb_taskset")


def text_of(completion):
    """A completion is a text, or messages of which the last is the answer, as a text
    or parts."""
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    if isinstance(text, list):
        return "".join(part.get("text") or "" for part in text)
    return text or ""


def load_environment(socket, rows, policy="screen", without=0.0, **kwargs):
    async def kb_reward(completion, info, state):
        try:
            if isinstance(info, str):
                info = json.loads(info)
            verdict = await kb_serve_async.ask(
                socket, problem=info["problem"], answer=text_of(completion),
                policy=policy)
            reward = float(kb_serve.reward_of(verdict, without))
        except Exception as why:
            # Its reward is 0 for verifiers. Trainers leave a rollout with an error out.
            state["error"] = state.get("error") or vf.InfraError(f"kb-serve: {why!r}")
            raise
        state["kb"] = verdict
        return reward

    # They are called after kb_reward.
    async def correct(state):
        return float(state.get("kb", {}).get("status") == "correct")

    async def speedup(state):
        return state.get("kb", {}).get("speedup") or 0.0

    with open(rows, encoding="utf-8") as file:
        dataset = [json.loads(line) for line in file]
    rubric = vf.Rubric(funcs=[kb_reward, correct, speedup], weights=[1.0, 0.0, 0.0])
    return vf.SingleTurnEnv(dataset=vf_dataset(dataset), rubric=rubric, **kwargs)


def vf_dataset(rows):
    from datasets import Dataset  # verifiers brings it
    return Dataset.from_list(rows)
