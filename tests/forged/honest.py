"""Honest bundles to forge: a suite with facts, a submission, and a baseline
and an evaluation of both, on a CPU and on an H200, with samples from which
their times follow. Nothing is run: what a program would have written is
written here, by the rules of doc/kb-manifest.5 and doc/spec-*.md."""

import collections
import copy
import hashlib
import json
import math
import pathlib
import random

RECORD = "data/manifest.json"
LINES = "data/results.jsonl"
SCORES = "data/scores.jsonl"
BAGIT = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
TOOL = {"git_commit": None, "git_dirty": None, "version": "0.1.0"}


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"),
                      ensure_ascii=False).encode()


def digest(data):
    return hashlib.sha256(data).hexdigest()


class Bundle:
    """The members of a bag, and everything else that lies in it."""

    def __init__(self, files):
        self.files = dict(files)        # "data/..." -> bytes
        self.manifest = None            # in place of the one that is right
        self.bagit = BAGIT

    def copy(self):
        return copy.deepcopy(self)

    @property
    def record(self):
        return json.loads(self.files[RECORD])

    @record.setter
    def record(self, value):
        self.files[RECORD] = canonical(value)

    def lines(self, member=LINES):
        return [json.loads(x) for x in self.files[member].splitlines()]

    def set_lines(self, values, member=LINES):
        self.files[member] = b"".join(canonical(v) + b"\n" for v in values)

    def right_manifest(self):
        return b"".join(b"%s  %s\n" % (digest(data).encode(), name.encode())
                        for name, data in sorted(self.files.items()))

    def id(self):
        return digest(self.right_manifest())

    def write(self, path):
        path = pathlib.Path(path)
        for name, data in self.files.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
        (path / "bagit.txt").write_bytes(self.bagit)
        (path / "manifest-sha256.txt").write_bytes(
            self.right_manifest() if self.manifest is None else self.manifest)
        return path


# --- a suite ---------------------------------------------------------------

def tensor(*shape):
    return {"dtype": "float32", "shape": list(shape)}


def elements(t):
    return math.prod(t["shape"])


def halves(count):
    return {"fp32": 4 * count, "fp16": 2 * count, "bf16": 2 * count}


def facts(inputs, output, flops, tag, audit, remedy=None):
    moved = sum(map(elements, inputs)) + elements(output)
    return {
        "inputs": [dict(t, name="xy"[i]) for i, t in enumerate(inputs)],
        "outputs": [output], "flops": flops, "bytes_min": halves(moved),
        "parameters": {"count": 0, "bytes": halves(0)}, "tags": [tag],
        "requires": {"device_bytes": 4 * moved, "packages": [],
                     "compute_capability": None},
        "note": None, "tolerance": None, "remedy": remedy, "audit": audit,
    }


def audit(*findings):
    return {"sound": "zero_output" not in findings, "device": "NVIDIA H200",
            "tool_commit": None,
            "findings": [{"finding": f, "evidence": "as told"}
                         for f in findings]}


SQUARE, LARGE = tensor(4096, 4096), tensor(16384, 16384)
PROBLEMS = {
    "1/1": ("1_Product", facts([SQUARE, SQUARE], SQUARE, 2 * 4096 ** 3,
                               "matmul", audit())),
    "1/2": ("2_ReLU", facts([LARGE], LARGE, 16384 ** 2, "activation",
                            audit())),
    "1/3": ("3_Twice", facts([LARGE], LARGE, 16384 ** 2, "activation",
                             audit("removable"),
                             [{"input": "x", "scale": "2", "shift": "-1"}])),
    "2/1": ("1_Nothing", facts([LARGE], LARGE, 16384 ** 2, "activation",
                               audit("zero_output"))),
}


def numbers(key):
    level, problem = map(int, key.split("/"))
    return {"level": level, "problem_id": problem}


def suite():
    files, problems = {}, []
    for key, (name, known) in PROBLEMS.items():
        text = ("# %s\nclass Model: pass\n" % name).encode()
        member = "data/problems/level%s/%s.py" % (key.split("/")[0], name)
        files[member] = text
        problems.append(dict(numbers(key), key=key, name=name, file=member,
                             runtime="torch", sha256=digest(text),
                             size_bytes=len(text), facts=known))
    files[RECORD] = canonical({
        "kind": "suite", "schema_version": 1, "parents": [],
        "name": "forged", "version": None, "upstream_commit": None,
        "problems": problems})
    return Bundle(files)


# --- a suite and one that is derived from it by sizes ----------------------

SIZED = """\
class Model:
    \"\"\"n = 1\"\"\"


m = %d
n = %d
k = n * 2
"""
BEFORE, AFTER = {"m": 64, "n": 4096}, {"m": 67, "n": 4099}
SIZED_PROBLEMS = {key: name for key, (name, _) in PROBLEMS.items()}
# Of which derived suites have it: of input x, which is argument 0. Of two problems,
# since a derived suite that has none at all may be of a time before remedies.
REMEDIED = dict.fromkeys(("1/3", "2/1"),
                         [{"argument": 0, "scale": "2", "shift": "-1"}])


def suite_of(files, parents, name, texts, of_problems=None, **more):
    """`texts` by key; a suite whose labels are all there. Members of its
    problems by key."""
    problems = []
    for key, text in texts.items():
        member = "data/problems/level%s/%s.py" % (key.split("/")[0],
                                                  SIZED_PROBLEMS[key])
        files[member] = text
        problems.append(dict(numbers(key), key=key, name=SIZED_PROBLEMS[key],
                             file=member, runtime="torch",
                             sha256=digest(text), size_bytes=len(text),
                             facts=None))
        problems[-1].update((of_problems or {}).get(key, {}))
    files[RECORD] = canonical(dict(
        more, kind="suite", schema_version=1, parents=parents, name=name,
        version="1", upstream_commit="5a" * 20, problems=problems))
    return Bundle(files)


def sized():
    text = (SIZED % tuple(BEFORE.values())).encode()
    return suite_of({}, [], "sized", dict.fromkeys(SIZED_PROBLEMS, text),
                    {key: {"facts": dict(PROBLEMS[key][1],
                                         remedy=PROBLEMS["1/3"][1]["remedy"])}
                     for key in REMEDIED})


def derived(parent_id, changes=(("1/1", "mn"), ("1/2", "n"))):
    """Of two of the problems; the second has one constant changed."""
    texts = {key: SIZED % tuple((AFTER if c in which else BEFORE)[c]
                                for c in "mn") for key, which in changes}
    sizes = [dict(numbers(key), key=key, constant=c, before=BEFORE[c],
                  after=AFTER[c]) for key, which in changes for c in which]
    return suite_of({}, [{"kind": "suite", "id": parent_id}], "odd",
                    {key: text.encode() for key, text in texts.items()},
                    {key: {"remedy": remedy}
                     for key, remedy in REMEDIED.items()},
                    sizes=sizes)


def derived_all(parent_id):
    """Of all problems, two of them with a remedy."""
    return derived(parent_id, [(key, "n") for key in SIZED_PROBLEMS])


# --- and one of gradients --------------------------------------------------

GRADIENTS = (pathlib.Path(__file__).parents[2] /
             "src/ground/manifest/gradients_1.py").read_bytes()
LEFT_OUT = {"2/1": "no output has a gradient"}


def gradients(parent_id, left_out=LEFT_OUT):
    """Of the problems of a suite that are not left out."""
    text = (SIZED % tuple(BEFORE.values())).encode() + GRADIENTS
    without = [dict(numbers(key), key=key, reason=reason)
               for key, reason in left_out.items()]
    return suite_of({}, [{"kind": "suite", "id": parent_id}], "slopes",
                    {key: text for key in SIZED_PROBLEMS
                     if key not in left_out},
                    backward={"rule": "gradients-1", "left_out": without})


# --- a generation ----------------------------------------------------------

PROMPTS = "data/prompts.jsonl"
# What a server answers, and what comes of it: content, why it ended, outcome.
ANSWERS = [
    ("1/1", 0, "So:\n```python\nclass ModelNew: pass\n```\n", "stop", "code"),
    ("1/1", 1, "I would rather not.", "stop", "no_code"),
    ("1/2", 0, "```python\nclass ModelNew:", "length", "cut_off"),
    ("1/2", 1, None, "stop", "no_text"),
    ("1/3", 0, "late", None, "failed"),
    ("1/3", 1, None, None, "missing"),
]
CODE = b"class ModelNew: pass\n"
NO_TOKENS = dict.fromkeys(("input_tokens", "cached_tokens", "output_tokens",
                           "reasoning_tokens"))


def code_of(content):
    """Of an answer with one block."""
    return content.split("```python\n")[1].split("```")[0].encode()


def messages(key):
    return [{"role": "system", "content": "You write kernels."},
            {"role": "user", "content": "Write problem %s faster." % key}]


SAMPLING = ('{"temperature":0.7,"top_p":0.95,"max_tokens":100,'
            '"max_completion_tokens":100,"top_k":20}')


def body(key, seed):
    return ('{"model":"model-1","messages":%s,"seed":%d,%s}' %
            (canonical(messages(key)).decode(), seed,
             SAMPLING[1:-1])).encode()


def answer(custom_id, content, reason):
    if reason is None:
        return json.dumps({"id": "batch_request_of_some_server",
                           "custom_id": custom_id, "response": None,
                           "error": {"code": "expired", "message": content}})
    return json.dumps({
        "id": "batch_request_of_some_server", "custom_id": custom_id,
        "response": {"status_code": 200, "body": {
            "created": 1790000000, "model": "model-1-fp8",
            "system_fingerprint": "fp_1",
            "choices": [{"index": 0, "finish_reason": reason, "message": {
                "role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": 50, "completion_tokens": 20,
                      "prompt_tokens_details": {"cached_tokens": 10},
                      "completion_tokens_details": {"reasoning_tokens": 5}}}},
        "error": None})


def generated(key, sample, content, reason, outcome):
    request = digest(body(key, 7 + sample))
    custom_id = "l%s-s%d-t1-%s" % (key.replace("/", "-p"), sample,
                                   request[:16])
    came, asked = outcome != "missing", reason is not None
    return dict(
        numbers(key), key=key, sample_id=sample, turn=1, seed=7 + sample,
        prompt_sha256=digest(canonical(messages(key))),
        request_sha256=request, latency_ns=1000 if came else None,
        answer=answer(custom_id, content, reason) if came else None,
        outcome=outcome, finish_reason=reason,
        message=content if outcome == "failed" else None,
        code={"sha256": digest(code_of(content)),
              "size_bytes": len(code_of(content))}
        if outcome == "code" else None,
        model="model-1-fp8" if asked else None,
        system_fingerprint="fp_1" if asked else None,
        usage=dict(NO_TOKENS, input_tokens=50, cached_tokens=10,
                   output_tokens=20, reasoning_tokens=5)
        if asked else NO_TOKENS)


def totals(answers):
    """Of the tokens of answer(), by the prices of generation()."""
    came = sum(x[-1] != "missing" for x in answers)
    used = sum(x[3] is not None for x in answers)
    return {"outcomes": dict(collections.Counter(x[-1] for x in answers)),
            "input_tokens": 50 * used, "cached_tokens": 10 * used,
            "output_tokens": 20 * used, "reasoning_tokens": 5 * used,
            "without_usage": 0, "latency_ns": 1000 * came,
            "cost_nano": used * (40 * 2000 + 10 * 500 + 20 * 8000)}


def generation(suite_id, answers=ANSWERS):
    """What was answered, and what the tokens cost."""
    record = {
        "kind": "generation", "schema_version": 1,
        "parents": [{"kind": "suite", "id": suite_id}],
        "tool": dict(TOOL, name="kb-generate"),
        "options": {"model": "model-1", "backend": "triton", "samples": "2",
                    "seed": "7", "no-seed": "false", "temperature": "0.7",
                    "top-p": "0.95", "max-tokens": "100",
                    "max-completion-tokens": "100",
                    "custom-prompt": "mine", "body": '{"top_k":20}',
                    "system": "You write kernels.", "prompt": "zero_shot",
                    "precision": "fp32", "gpu": "H100", "currency": "USD",
                    "price-input": "2", "price-cached": "0.5",
                    "price-output": "8", "problems": "1/1,1/2,1/3",
                    "levels": "1"},
        "model": "model-1", "backend": "triton",
        "templates_sha256": digest(b"templates"), "hardware": "H100",
        "sampling": SAMPLING, "seed": 7, "samples_per_problem": 2,
        "prices": {"currency": "USD", "input_per_million": "2",
                   "cached_per_million": "0.5", "output_per_million": "8"},
        "problems": ["1/1", "1/2", "1/3"], "server_models": '{"data":[]}',
        "extraction": "blocks-2",
        "totals": totals(answers)}
    bundle = Bundle({RECORD: canonical(record)})
    prompts = [{"messages": messages(key),
                "sha256": digest(canonical(messages(key)))}
               for key in record["problems"]]
    bundle.set_lines(sorted(prompts, key=lambda p: p["sha256"]), PROMPTS)
    bundle.set_lines([generated(*row) for row in answers])
    return bundle


def extracted(g, answers=ANSWERS):
    """The submission that is made of it: of answers without code, too."""
    files, candidates = {}, []
    for key, sample, content, _, outcome in answers:
        if outcome in ("missing", "failed"):
            continue
        text = code_of(content) if outcome == "code" else b""
        member = candidate_file(key, sample)
        files[member] = text
        candidates.append(dict(numbers(key), sample_id=sample, file=member,
                               runtime="torch", sha256=digest(text),
                               size_bytes=len(text)))
    files[RECORD] = canonical(dict(
        dict.fromkeys(("display_name", "organization", "server_type",
                       "date", "run_name", "notes")),
        kind="submission", schema_version=1,
        parents=[{"kind": "generation", "id": g.id()}], model="model-1",
        temperature="0.7", top_p="0.95", max_tokens=100, seed=7,
        samples_per_problem=2, prompt_sha256=digest(g.files[PROMPTS]), source_format="generation",
        candidates=candidates))
    return Bundle(files)


# --- a submission ----------------------------------------------------------

# How each candidate ended; "2/1" has none.
CANDIDATES = [("1/1", 0, "correct"), ("1/1", 1, "mismatch"),
              ("1/2", 0, "correct"), ("1/3", 0, "crashed"),
              ("1/3", 1, "correct")]


def candidate_file(key, sample):
    return ("data/candidates/level%d/problem%d/sample%d.py" %
            (*numbers(key).values(), sample))


def candidate_text(key, sample):
    return b"# %s, sample %d\nclass ModelNew: pass\n" % (key.encode(), sample)


def submission():
    files, candidates = {}, []
    for key, sample, _ in CANDIDATES:
        text = candidate_text(key, sample)
        files[candidate_file(key, sample)] = text
        candidates.append(dict(numbers(key), sample_id=sample,
                               file=candidate_file(key, sample),
                               runtime="torch", sha256=digest(text),
                               size_bytes=len(text)))
    unknown = ["display_name", "organization", "model", "server_type",
               "temperature", "top_p", "max_tokens", "seed",
               "samples_per_problem", "prompt_sha256", "date", "run_name",
               "notes"]
    files[RECORD] = canonical(dict(
        dict.fromkeys(unknown), kind="submission", schema_version=1,
        parents=[], source_format="folder", candidates=candidates))
    return Bundle(files)


def answered():
    """Answers whose submission has these candidates."""
    answers = [(key, sample, "```python\n%s```\n" %
                candidate_text(key, sample).decode(), "stop", "code")
               for key, sample, _ in CANDIDATES]
    return sorted(answers + [("1/2", 1, "late", None, "failed")])


# --- times -----------------------------------------------------------------

def median(values):
    values = sorted(values)
    low, high = values[(len(values) - 1) // 2], values[len(values) // 2]
    return (low + high + 1) // 2


def interval(values, sure=0.95):
    """Of the median: see src/run/measure/stats.h."""
    n = len(values)
    k = max(k for k in range(n + 1)
            if 2 * sum(math.comb(n, i) for i in range(k)) <=
            (1 - sure) * 2 ** n * (1 + 1e-9))
    return (sorted(values)[k - 1], sorted(values)[n - k]) if k else None


def rounded(over, under):
    """Half away from zero."""
    return (abs(over) * 2 + under) // (2 * under) * (1 if over > 0 else -1)


def slopes(t):
    return [rounded(large - small, t["n_large"] - t["n_small"])
            for small, large in zip(t["small_ns"], t["large_ns"])]


def slack(t, bound_ns):
    least = t.get("one_call_slack_ns") or (
        1500 if t["clock"] == "device" else 3000)
    return max(bound_ns // 50,
               20000 if t["copy_in_small_ns"] is None else least)


def limit(reference, calls):
    """Up to what a reference's run of one call counts as it is, and as what
    it counts beyond."""
    alone, drift = sorted(reference["alone_ns"]), max(calls // 100, 3000)
    if not alone:
        return math.inf, math.inf
    if reference["clock"] == "call":
        return (median(alone) + drift,) * 2
    return alone[(len(alone) - 1) // 4] + drift, alone[0]


def bounds(t, reference):
    """What one call takes with no other in sight: src/run/measure/time_rule.h."""
    calls = median(slopes(reference)) if reference["n_one_call"] else 0
    most, instead = limit(reference, calls)
    return [calls + own - (other if other <= most else instead)
            for own, other in zip(t["one_call_ns"], reference["one_call_ns"])]


def doubt(t, reference):
    """By how much the reference's slope may be below its median."""
    if t["copy_in_small_ns"] is not None:
        return 0
    of = slopes(reference)
    return median(of) - (interval(of, 0.999) or (min(of),))[0]


def bound_decides(t, reference, bound):
    sure = interval(bound, 0.999)
    return sure and (median(slopes(t)) + slack(t, median(bound)) <
                     sure[0] - doubt(t, reference))


def decide(t, reference=None):
    """The rule once more, for all that is made here: a slope, a bound, and
    what the device's clock says."""
    samples, t["basis"] = slopes(t), "slope"
    if reference and t["one_call_ns"]:
        bound = bounds(t, reference)
        if bound_decides(t, reference, bound):
            more = slack(t, median(bound))
            samples, t["basis"] = [b + more for b in bound], "one_call"
    t["time_ns"] = median(samples)
    t["low_ns"], t["high_ns"] = interval(samples) or (None, None)
    if (t["device_ns"] or 0) > t["time_ns"]:
        t.update(time_ns=t["device_ns"], basis="device", low_ns=None,
                 high_ns=None)
    return t


def copy_in(calls):
    """What a chain of so many calls' inputs takes."""
    return 78000 + 1000 * calls


def timing(time_ns, clock, trials, once_ns, on_gpu=False):
    """Runs of 4 and of 12 calls whose slopes lie around `time_ns`. Two that
    take another time have another noise."""
    noise = random.Random(time_ns)
    off = [i - trials // 2 + (i >= trials // 2 and trials % 2 == 0)
           for i in range(trials)]
    once = [13 * i for i in range(trials)]
    for values in (off, once):
        noise.shuffle(values)
    small = [once_ns + 4 * time_ns + ns for ns in once]
    large = [s + 8 * (time_ns + ns) for s, ns in zip(small, off)]
    return decide({
        "clock": clock, "n_small": 4, "n_large": 12, "small_ns": small,
        "large_ns": large, "n_one_call": 1,
        "one_call_ns": [], "alone_ns": [],
        "copy_in_small_ns": copy_in(4) if on_gpu else None,
        "copy_in_large_ns": copy_in(12) if on_gpu else None,
        "copy_in_one_call_ns": copy_in(1) if on_gpu else None,
        "device_ns": None,
        "stop_reason": "interval" if on_gpu else "trials"})


def spread_out(time_ns, clock, trials, once_ns, on_gpu=False, of=timing):
    """The same with intervals of some width, which on a GPU are too wide for the
    trials to end by "interval"."""
    t = of(time_ns, clock, trials, once_ns, on_gpu)
    t["large_ns"] = [s + 8 * (time_ns + 6001 * (i * 5 % 11 - 5))
                     for i, s in enumerate(t["small_ns"])]
    if on_gpu:
        t["stop_reason"] = "budget"
    return decide(t)


def device_timing(time_ns, trials=10):
    return {
        "timing": timing(time_ns, "device", trials, 345000, True),
        "not_queueable": None, "repeated": 0,
        "control_before_ns": None, "control_after_ns": None,
        "telemetry": {"samples": 40, "reasons": 0, "power_mw_max": 612000,
                      "temperature_c_max": 54,
                      "sm_clock_mhz_min": 1830, "sm_clock_mhz_max": 1980,
                      "memory_clock_mhz_min": 3201,
                      "memory_clock_mhz_max": 3201},
    }


def add_one_call(t, reference, time_ns):
    """Runs of one call of both in turn, which say that it takes `time_ns`."""
    calls_ns = median(slopes(reference)) if reference["n_one_call"] else 0
    once_ns = 345000 + calls_ns
    reference["one_call_ns"] = [once_ns + 17 * (i * 4 % 7) for i in range(20)]
    if reference["copy_in_small_ns"] is not None:
        reference["alone_ns"] = [once_ns + 60 + 11 * (i % 3)
                                 for i in range(8)]
    t["one_call_ns"] = [other + time_ns - calls_ns + i * 3 % 7 - 3
                        for i, other in enumerate(reference["one_call_ns"])]
    decide(t, reference)


REFERENCE_NS = {"1/1": 400000, "1/2": 520000, "1/3": 610000, "2/1": 450000}
CANDIDATE_NS = {"1/1": 300000, "1/2": 480000, "1/3": 500000}
# With one call in sight; the second did several side by side.
ONE_CALL_NS = {"1/1": 300000, "1/2": 540000, "1/3": 501000}
# Of whom the device's clock has no time.
NOT_QUEUEABLE = "1/3"


def seed(*what):
    return digest(repr(what).encode())


def seeds(count, *what):
    return [seed(i, *what) for i in range(count)]


def outcome(status):
    """What a line says of how it ended."""
    return {"status": status, "phase": "run" if status not in
            ("correct", "timed", "missing") else None,
            "signal": "SIGSEGV" if status == "crashed" else None,
            "exit_status": None, "detail": None, "log": "",
            "log_truncated": False,
            "wall_ns": 0 if status == "missing" else 20000000000,
            "trial_seeds": []}


# --- what was compared -----------------------------------------------------

def elements_of(key):
    return elements(PROBLEMS[key][1]["outputs"][0])


def compared(key, calls, mismatched=0):
    """The one output of a run of so many calls."""
    return [{"elements": elements_of(key) * calls, "mismatched": mismatched,
             "nan": 0, "max_abs_error": "0.25" if mismatched else "1.5e-06",
             "max_rel_error": "1.25" if mismatched else "2.5e-06",
             "rms_error": "0.125" if mismatched else "2.5e-07"}]


FP64_ERROR = {"draws": 3, "unavailable": None, "outputs": [
    {"max_abs": "4.5", "max_abs_error": "2.25e-06", "rms": "1.25",
     "rms_error": "5e-07"}]}


def one_call_runs(t, trials):
    """In how many requests a CPU makes them."""
    made, runs = 0, 0
    for i in range(1, trials + 1):
        wanted = len(t["one_call_ns"]) * i // trials
        runs += -(-(wanted - made) // t["n_large"])
        made = wanted
    return runs


def runs_of(t):
    """On a CPU: warm-ups, a small and a large batch a trial, one call."""
    trials = len(t["small_ns"])
    return 2 + 2 * trials + one_call_runs(t, trials)


# On alternate inputs, if it went wrong before.
NOT_TRIED = {"trials": 0, "outputs": None, "trial_seeds": [],
             "fp64_reference_error": None}


def alternates(line, device):
    """Three trials of a small and a large batch each, and one call."""
    return {"trials": 9, "outputs": compared(line["key"], 12),
            "trial_seeds": seeds(9, line["key"], "alternate")
            if device == "cpu" else [], "fp64_reference_error": None}


# --- two ranks, with an output each ------------------------------------------

def of_two(record):
    record["world"] = 2
    for problem in record["problems"]:
        known = problem["facts"]
        known["requires"]["device_bytes"] += 4 * elements(known["outputs"][0])
        known["outputs"] *= 2


def with_outputs_of_two(lines):
    for line in lines:
        alternate = line.get("alternate_inputs") or {}
        for part in (line, line.get("fp64_reference_error"), alternate,
                     alternate.get("fp64_reference_error")):
            if part and part.get("outputs"):
                part["outputs"] *= 2


# --- conditions ------------------------------------------------------------

GPU = {"name": "NVIDIA H200", "uuid": "GPU-0", "multiprocessors": 132,
       "compute_capability": "9.0", "memory_bytes": 150754820096,
       "l2_cache_bytes": 62914560, "power_limit_mw": 700000, "mig": False,
       "max_sm_clock_mhz": 1980, "max_memory_clock_mhz": 3201, "ecc": True}
CPU = {"vendor": "Fixture", "model": "Fixture 3000", "cores_allowed": 16,
       "smt": True, "governor": "performance",
       "boost": {"unavailable": "nobody says"}}
ISOLATION = """pid_namespace net_namespace ipc_namespace own_root
    private_proc read_only_files private_shm private_tmp other_user landlock
    syscall_filter cgroup_memory cgroup_pids""".split()
ON_CUDA = {"precision": "fp32", "tf32": "off", "deterministic": "off"}


def environment(device):
    sections = {"device": {"kind": device}, "cpu": CPU,
                "os": {"libc": "glibc 2.39", "machine": "x86_64"},
                "python": {"version": "3.12.3"},
                "torch": {"version": "2.11.0", "threads_count": 16,
                          "cuda_version": "13.0"},
                "compiler": {"version": "cc 13.2.0"},
                "isolation": dict.fromkeys(ISOLATION, True)}
    if device == "cuda":
        sections["torch"].update(ON_CUDA)
        sections.update(gpu=GPU, driver={"version": "580.1"},
                        cuda={"runtime_version": "13.0",
                              "cublas_version": "13.1.0",
                              "cudnn_version": 91002,
                              "nvcc_version": {"unavailable": "no nvcc"}})
    return sections


# As kb-manifest(5) lists them.
MATCH_KEY = """device.kind cpu.vendor cpu.model cpu.cores_allowed cpu.smt
    cpu.governor cpu.boost os.machine os.libc python.version torch.version
    torch.threads_count compiler.version""".split()
MATCH_KEY_CUDA = """device.kind gpu.name gpu.compute_capability
    gpu.multiprocessors gpu.memory_bytes gpu.ecc gpu.mig gpu.power_limit_mw
    gpu.max_sm_clock_mhz gpu.max_memory_clock_mhz driver.version
    cuda.runtime_version cuda.cublas_version cuda.cudnn_version
    cuda.nvcc_version cpu.vendor cpu.model cpu.cores_allowed os.machine
    os.libc python.version torch.version torch.cuda_version torch.precision
    torch.tf32 torch.deterministic""".split()


def match_key(sections, policy):
    fields = MATCH_KEY_CUDA if "gpu" in sections else MATCH_KEY
    key = {"policy.threads": str(policy["threads"])}
    for field in fields:
        section, fact = field.split(".")
        value = sections[section][fact]
        key[field] = ("unavailable" if isinstance(value, dict) else
                      str(value).lower() if isinstance(value, bool)
                      else str(value))
    return key


S, KIB, MIB = 1000000000, 1 << 10, 1 << 20
# Members of the policy that are options, and their unit.
OPTIONS = {"trials": ("trials", 1), "alternate_trials":
           ("alternate-trials", 1), "weights_seed": ("seed", 1),
           "tensor_bytes_max": ("tensor-mib", MIB),
           "run_timeout_ns": ("timeout", S), "threads": ("threads", 1),
           "build_timeout_ns": ("build-timeout", S),
           "memory_bytes": ("memory-mib", MIB),
           "log_limit_bytes": ("log-kib", KIB),
           "tolerance": ("tolerance", 0), "trials_max": ("trials-max", 1),
           "interval_ppm": ("interval-ppm", 1), "budget_ns": ("budget", S),
           "output_pool_bytes": ("output-pool-mib", MIB),
           "slow_factor": ("slow-factor", 1), "slow_call_ns":
           ("slow-seconds", S),
           "precision": ("precision", 0), "tf32": ("tf32", 0),
           "deterministic": ("deterministic", 0)}


def policy_of(device, tool):
    policy = {"tolerance": "kernelbench", "trials": 5, "weights_seed": 42,
              "alternate_trials": 3 if tool == "kb-eval" else 0,
              "batch_min_ns": 8000000, "batch_calls_max": 96,
              "tensor_bytes_max": 6026 * MIB, "clock": "call",
              "one_call_pairs": 11, "one_call_pairs_max": 31,
              "run_timeout_ns": 60 * S, "build_timeout_ns": 600 * S,
              "memory_bytes": 18078 * MIB, "log_limit_bytes": 1024 * KIB,
              "threads": 16, "native_flags": "-O3"}
    if tool == "kb-eval":
        policy.update(stopping_rule=2, slow_factor=10, slow_call_ns=10 * S)
    if device == "cuda":
        policy.update(ON_CUDA, trials=10, trials_max=200, interval_ppm=5000,
                      one_call_pairs=12, one_call_pairs_max=48,
                      alone_runs=8, batch_min_ns=2000000,
                      batch_calls_max=384, clock="call, device",
                      budget_ns=S, output_pool_bytes=35788 * MIB,
                      l2_cache="evicted before a batch")
    return policy


def options_of(policy, device, tool):
    options = {"device": "cuda:0" if device == "cuda" else "cpu"}
    for member, value in policy.items():
        if member in OPTIONS:
            option, unit = OPTIONS[member]
            options[option] = str(value // unit if unit else value)
    if tool == "kb-baseline":
        del options["alternate-trials"]
        options["modes"] = "eager"
    return options


def conditions(device, tool):
    sections, policy = environment(device), policy_of(device, tool)
    return {"tool": dict(TOOL, name=tool),
            "options": options_of(policy, device, tool),
            "environment": sections,
            "match_key": match_key(sections, policy), "policy": policy}


# --- a baseline and an evaluation ------------------------------------------

def head(kind, **parents):
    return {"kind": kind, "schema_version": 2,
            "parents": [{"kind": k, "id": v} for k, v in parents.items()]}


def line_of(key, status, **more):
    line = dict(outcome(status), fp64_reference_error=None, key=key,
                **numbers(key))
    line.update(more)
    if status != "missing":
        line["fp64_reference_error"] = FP64_ERROR
    return line


def draw_seeds(line, device, *what):
    """One a run, as many as there were; one of all on a device."""
    if line["status"] == "missing":
        return
    count = 1
    if device == "cpu" and line["status"] in ("correct", "timed"):
        count = runs_of(line["timing"])
    line["trial_seeds"] = seeds(count, device, line["key"], *what)


def call_timing(time_ns, device, key=None):
    """Beside the device's clock six trials will do."""
    trials = 5 if device == "cpu" else 10 if key == NOT_QUEUEABLE else 6
    return timing(time_ns + 2000, "call", trials, 40000, device == "cuda")


def tell_device_ns(call, device, reference=None):
    """A call takes no less than the device says."""
    call["device_ns"] = device["timing"] and device["timing"]["time_ns"]
    decide(call, reference)


def baseline(suite_id, device):
    lines = []
    for key, time_ns in REFERENCE_NS.items():
        line = line_of(key, "timed", mode="eager")
        line["timing"] = call_timing(time_ns, device)
        if device == "cuda":
            line["device_timing"] = device_timing(time_ns)
            tell_device_ns(line["timing"], line["device_timing"])
        draw_seeds(line, device, "reference")
        lines.append(line)
    b = Bundle({})
    b.record = dict(head("baseline", suite=suite_id), mode="eager",
                    problems=list(PROBLEMS),
                    **conditions(device, "kb-baseline"))
    b.set_lines(lines)
    return b


def add_device_times(line, key):
    own, reference = (device_timing(of[key])
                      for of in (CANDIDATE_NS, REFERENCE_NS))
    reference["control_before_ns"] = REFERENCE_NS[key] + 300
    reference["control_after_ns"] = REFERENCE_NS[key] - 200
    if key == NOT_QUEUEABLE:
        own.update(timing=None, not_queueable="it waits")
    else:
        add_one_call(own["timing"], reference["timing"], ONE_CALL_NS[key])
    line["device_timing"] = own
    line["reference_device_timing"] = reference


def add_times(line, device):
    """With runs of one call by the clock that counts."""
    key = line["key"]
    own = line["timing"] = call_timing(CANDIDATE_NS[key], device, key)
    reference = call_timing(REFERENCE_NS[key], device, key)
    line["reference_timing"] = reference
    if device == "cuda":
        add_device_times(line, key)
        if key == NOT_QUEUEABLE:
            reference.update(n_one_call=0, copy_in_one_call_ns=copy_in(0))
        tell_device_ns(reference, line["reference_device_timing"])
    if device == "cpu" or key == NOT_QUEUEABLE:
        add_one_call(own, reference, ONE_CALL_NS[key] + 2000)
    if device == "cuda":
        tell_device_ns(own, line["device_timing"], reference)


def count_statuses(lines):
    counts = {}
    for line in lines:
        counts[line["status"]] = counts.get(line["status"], 0) + 1
    return counts


def evaluation(suite_id, submission_id, device):
    lines = []
    for key, sample, status in CANDIDATES + [("2/1", 0, "missing")]:
        is_missing = status == "missing"
        line = line_of(key, status, sample_id=sample, outputs=None,
                       candidate_sha256=None if is_missing else
                       digest(candidate_text(key, sample)),
                       timing=None, reference_timing=None)
        if status == "correct":
            add_times(line, device)
            line["outputs"] = compared(key, 12)
        if status == "mismatch":
            line["outputs"] = compared(key, 1, 4096)
        if PROBLEMS[key][1]["remedy"] and not is_missing:
            line["alternate_inputs"] = alternates(line, device) \
                if status == "correct" else NOT_TRIED
        draw_seeds(line, device, sample)
        lines.append(line)
    e = Bundle({})
    e.record = dict(head("evaluation", suite=suite_id,
                         submission=submission_id),
                    problems=list(PROBLEMS),
                    status_counts=count_statuses(lines),
                    **conditions(device, "kb-eval"))
    e.set_lines(lines)
    return e
