#!/usr/bin/env python3
"""KernelGYM's evaluation server, answered by kb-serve: POST /evaluate and
/evaluate/batch, GET /health. The problem of a task is the one whose file has the text
of `reference_code`; PROBLEMS is the folder of these files. A task waits for its
verdict. Timers, trials and devices of a request are kb's to choose."""

import pathlib
import time
import urllib.parse

import kb_http
import kb_serve

CODES = {"build_failed": "COMPILATION", "load_failed": "INSTANTIATION",
         "run_failed": "RUNTIME", "crashed": "RUNTIME", "exited": "RUNTIME",
         "timed_out": "TIMEOUT", "out_of_memory": "RESOURCE",
         "reference_failed": "SYSTEM", "protocol_violation": "SYSTEM"}
TASKS_MAX = 10000  # kept
PRIORITIES = {"low": "low", "normal": "normal", "high": "high"}


def keys_by_text(folder):
    found = {}
    for path in pathlib.Path(folder).glob("level*/*_*"):
        number = path.name.split("_")[0]
        found[path.read_text().strip()] = f"{path.parent.name[5:]}/{number}"
    return found


def code_of(error, status):
    if not error:
        return CODES.get(status, "CORRECTNESS")
    if error.startswith("deadline"):
        return "TIMEOUT"
    return "VALIDATION" if "request" in error else "SYSTEM"


def task_of(task, answer, seconds):
    error, status = answer.get("error"), answer.get("status", "")
    code = code_of(error, status)
    is_correct = status == "correct"
    ms = {key: (answer.get(key) or 0) / 1000 for key in ("device_us", "reference_us")}
    return {
        "task_id": task["task_id"],
        "status": "completed" if not error else
                  "timeout" if code == "TIMEOUT" else "failed",
        "compiled": not error and status not in ("build_failed", "load_failed"),
        "correctness": is_correct, "decoy_kernel": False,
        "reference_runtime": ms["reference_us"], "kernel_runtime": ms["device_us"],
        "speedup": answer.get("speedup") or 0.0, "processing_time": seconds,
        "metadata": {"kb": answer},
        "error_message": None if is_correct else error or answer["reason"] or status,
        "error_code": None if is_correct else f"{code}_ERROR",
    }


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

    def batch_of(body):
        results = evaluate(body["tasks"])
        failed = sum(r["status"] != "completed" for r in results)
        return {"batch_id": body.get("batch_id"), "batch_status": "completed",
                "total_tasks": len(results), "failed_tasks": failed,
                "completed_tasks": len(results) - failed, "results": results}

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
            return 200, batch_of(body)
        if method == "GET" and path.startswith(("/status/", "/results/")):
            return state_of(path)
        if (method, path) == ("GET", "/health"):
            return 200, {"status": "healthy"}
        return 404, {"error": "not found"}

    kb_http.serve(words.port, answer)


if __name__ == "__main__":
    main()
