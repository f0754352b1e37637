"""kb-serve's answers in the form of KernelGYM's tasks, for kernelgym.py."""

CODES = {"build_failed": "COMPILATION", "load_failed": "INSTANTIATION",
         "run_failed": "RUNTIME", "crashed": "RUNTIME", "exited": "RUNTIME",
         "timed_out": "TIMEOUT", "out_of_memory": "RESOURCE",
         "reference_failed": "SYSTEM", "protocol_violation": "SYSTEM"}


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


def batch_of(name, results):
    failed = sum(r["status"] != "completed" for r in results)
    return {"batch_id": name, "batch_status": "completed",
            "total_tasks": len(results), "failed_tasks": failed,
            "completed_tasks": len(results) - failed, "results": results}
