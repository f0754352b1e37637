#!/usr/bin/env python3
"""KernelGYM's evaluation server, answered by kb-serve: POST /evaluate and
/evaluate/batch, GET /status/TASK, /results/TASK and /health. The problem of a task is
the one whose file has the text of `reference_code`; PROBLEMS is the folder of these
files. A task waits for its verdict. Timers, trials and devices of a request are kb's
to choose."""

import pathlib
import time
import urllib.parse

import kb_http
import kb_serve
from kernelgym_tasks import batch_of, task_of

TASKS_MAX = 10000  # kept
PRIORITIES = {"low": "low", "normal": "normal", "high": "high"}


def keys_by_text(folder):
    found = {}
    for path in pathlib.Path(folder).glob("level*/*_*"):
        number = path.name.split("_")[0]
        found[path.read_text().strip()] = f"{path.parent.name[5:]}/{number}"
    return found


def main():
    parser = kb_http.options(__doc__, 10907)
    parser.add_argument("problems", metavar="PROBLEMS")
    parser.add_argument("--policy", default="screen")
    words = parser.parse_args()
    keys, done = keys_by_text(words.problems), {}

    def evaluate(tasks):
        start = time.monotonic()
        requests = [{
            "problem": keys.get(t["reference_code"].strip(), "not in PROBLEMS"),
            "code": t["kernel_code"], "policy": words.policy,
            "priority": PRIORITIES[t.get("priority") or "normal"],
            "deadline_s": t.get("timeout") or 600} for t in tasks]
        with kb_serve.Client(words.socket) as kb:
            answers = kb.ask_all(requests)
        results = [task_of(t, a, time.monotonic() - start)
                   for t, a in zip(tasks, answers)]
        done.update((r["task_id"], r) for r in results)
        for task in list(done)[:-TASKS_MAX]:
            done.pop(task, None)
        return results

    def state_of(path):
        what, task = path[1:].split("/", 1)
        result = done.get(urllib.parse.unquote(task))
        if not result:
            return 404, {"detail": f"Task {task} not found"}
        return 200, result if what == "results" else {
            key: result[key] for key in ("task_id", "status")}

    def answer(method, path, body):
        if (method, path) == ("POST", "/evaluate"):
            return 200, evaluate([body])[0]
        if (method, path) == ("POST", "/evaluate/batch"):
            return 200, batch_of(body.get("batch_id"), evaluate(body["tasks"]))
        if method == "GET" and path.startswith(("/status/", "/results/")):
            return state_of(path)
        if (method, path) == ("GET", "/health"):
            return 200, {"status": "healthy"}
        return 404, {"error": "not found"}

    kb_http.serve(words.port, answer)


if __name__ == "__main__":
    main()
