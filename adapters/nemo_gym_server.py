#!/usr/bin/env python3
"""A resources server of NeMo Gym, answered by kb-serve --reward FORMULA: POST
/seed_session, /verify and /aggregate_metrics, GET /reverify_mode. A row's
`verifier_metadata` has `problem`, a key such as "1/19"."""

import kb_http
import kb_serve

TASK = "_ng_task_index"


def text_of(response):
    """What the model wrote, in a response of OpenAI's form."""
    return "".join(part.get("text", "")
                   for item in response.get("output", [])
                   if item.get("type") == "message"
                   for part in item.get("content", []))


def means(rows):
    return {f"mean/{name}": sum(r[name] for r in rows) / len(rows)
            for name in ("reward", "correct", "speedup") if rows}


def aggregate(body):
    rows, tasks = body["verify_responses"], {}
    for row in rows:
        tasks.setdefault(row.get(TASK, 0), []).append(row)
    return {"agent_metrics": means(rows), "key_metrics": means(rows),
            "group_level_metrics": [{**means(tasks[i]), TASK: i} for i in sorted(tasks)]}


def main():
    parser = kb_http.options(__doc__, 10909)
    parser.add_argument("--policy", default="screen")
    parser.add_argument("--without", type=float, default=0.0)
    words = parser.parse_args()

    def verify(body):
        with kb_serve.Client(words.socket) as kb:
            verdict = kb.ask(problem=body["verifier_metadata"]["problem"],
                             answer=text_of(body["response"]), policy=words.policy)
        parts = {"correct": float(verdict.get("status") == "correct"),
                 "speedup": verdict.get("speedup") or 0.0}
        return {**body, "reward": kb_serve.reward_of(verdict, words.without), **parts,
                "reward_components": parts, "kb": verdict}

    def answer(method, path, body):
        if (method, path) == ("POST", "/seed_session"):
            return 200, {}
        if (method, path) == ("POST", "/verify"):
            return 200, verify(body)
        if (method, path) == ("POST", "/aggregate_metrics"):
            return 200, aggregate(body)
        if (method, path) == ("GET", "/reverify_mode"):
            return 200, "stateless"
        return 404, {"error": "not found"}

    kb_http.serve(words.port, answer)


if __name__ == "__main__":
    main()
