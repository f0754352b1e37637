"""A taskset of `verifiers` from 0.3, and so of prime-rl, whose rewards are kb-serve's:

    vf-eval kb-taskset --env.taskset.rows rows.jsonl --env.agent.runtime.type subprocess \\
        --env.taskset.task.socket /tmp/kb.sock

Each row has `question`, what the model is asked, and `info` with `problem`, a key such
as "1/19". kb-serve runs with --reward FORMULA. A rollout without a verdict has an error
and no reward. The model answers once, unless --env.agent.harness.id names an agent.
`vf-eval` is `eval` in 0.3, and needs this folder in PYTHONPATH."""

import json

import verifiers.v1 as vf
from verifiers.v1.harnesses.null import NullHarness

import kb_serve
import kb_serve_async

__all__ = ["KbTaskset", "NullHarness"]


class KbData(vf.TaskData):
    problem: str


class KbTaskConfig(vf.TaskConfig):
    socket: str = "/tmp/kb.sock"
    policy: str = "screen"
    without: float = 0.0


class KbTask(vf.Task[KbData, vf.State, KbTaskConfig]):
    @vf.reward
    async def kb_reward(self, trace: vf.Trace) -> float:
        verdict = await kb_serve_async.ask(
            self.config.socket, problem=self.data.problem, answer=trace.last_reply,
            policy=self.config.policy)
        reward = kb_serve.reward_of(verdict, self.config.without)
        trace.info["kb"] = verdict
        trace.record_metric("correct", verdict.get("status") == "correct")
        trace.record_metric("speedup", verdict.get("speedup") or 0.0)
        return float(reward)


class KbConfig(vf.TasksetConfig):
    rows: str = "rows.jsonl"
    task: KbTaskConfig = KbTaskConfig()


class KbTaskset(vf.Taskset[KbTask, KbConfig]):
    def load(self):
        with open(self.config.rows, encoding="utf-8") as file:
            for i, row in enumerate(map(json.loads, file)):
                key = row["info"]["problem"]
                yield KbTask(KbData(idx=i, name=key, problem=key, prompt=row["question"]),
                             self.config.task)
