#!/usr/bin/env python3
"""A resources server of NeMo Gym, answered by kb-serve --reward FORMULA: POST
/seed_session, /verify and /aggregate_metrics, GET /reverify_mode. A row's
`verifier_metadata` has `problem`, a key such as "1/19"."""

import kb_http
import kb_serve


def text_of(response):
    """What the model wrote, in a response of OpenAI's form."""
    return "".join(part.get("text", "")
                   for item in response.get("output", [])
                   if item.get("type") == "message"
                   for part in item.get("content", []))


def mean(values):
    return sum(values) / len(values) if values else 0.0


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
        return {**body, "reward": verdict.get("reward", words.without),
                "reward_components": parts, "kb": verdict}

    def aggregate(body):
        rows = body["verify_responses"]
        return {"reward": mean([r["reward"] for r in rows]),
                "correct": mean([r["reward_components"]["correct"] for r in rows])}

    def answer(method, path, body):
        if (method, path) == ("POST", "/seed_session"):
            return 200, {}
        if (method, path) == ("POST", "/verify"):
            return 200, verify(body)
        if (method, path) == ("POST", "/aggregate_metrics"):
            return 200, aggregate(body)
        if (method, path) == ("GET", "/reverify_mode"):
            return 200, {"reverify_mode": "full"}
        return 404, {"error": "not found"}

    kb_http.serve(words.port, answer)


if __name__ == "__main__":
    main()
