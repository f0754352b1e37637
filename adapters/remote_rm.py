#!/usr/bin/env python3
"""A remote reward model for slime (--rm-type remote_rm --rm-url URL) and OpenRLHF
(--remote_rm_url URL), answered by kb-serve --reward FORMULA.

The label of a sample is the problem's key, "1/19", and its response is the model's
text. slime posts {"prompt", "response", "label"} and gets a number. OpenRLHF posts
{"query": [...], "prompts": [...], "labels": [...]} and gets {"rewards": [...]}; a
query begins with its prompt. A response without code has the reward that --without
gives. Without a verdict, as after the deadline, the status is 503: the trainer asks
again."""

import kb_http
import kb_serve


def pairs_of(body):
    """Of OpenRLHF: problem and text."""
    queries, labels = body["query"], body["labels"]
    prompts = body.get("prompts", [""] * len(queries))
    if not isinstance(queries, list) or not len(queries) == len(prompts) == len(labels):
        raise ValueError("query, prompts and labels must be lists of one length")
    for query, prompt, label in zip(queries, prompts, labels):
        yield label, query[len(prompt):] if query.startswith(prompt) else query


def main():
    parser = kb_http.options(__doc__, 10908)
    parser.add_argument("--policy", default="screen")
    parser.add_argument("--deadline", type=float, default=110)
    parser.add_argument("--without", type=float, default=0.0)
    words = parser.parse_args()

    def rewards_of(pairs):
        requests = [{"problem": problem, "answer": text, "policy": words.policy,
                     "deadline_s": words.deadline} for problem, text in pairs]
        with kb_serve.Client(words.socket) as kb:
            answers = kb.ask_all(requests)
        return [kb_serve.reward_of(a, words.without) for a in answers], answers

    def answer(method, path, body):
        if method != "POST":
            return 404, {"error": "not found"}
        if "query" in body:
            rewards, answers = rewards_of(pairs_of(body))
            return 200, {"rewards": rewards, "scores": rewards, "extra_logs": {
                "correct": [float(a.get("status") == "correct") for a in answers]}}
        return 200, rewards_of([(body["label"], body["response"])])[0][0]

    kb_http.serve(words.port, answer)


if __name__ == "__main__":
    main()
