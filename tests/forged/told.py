"""More honest bundles, which together with those of honest.py have every
member that there is: of a suite and a submission that say all they can, of a
machine that says all of itself, of several seeds, of another machine's
baseline, of scores by every preset, of a reduced audit, and of reports."""

import json
import pathlib

from bend import of_lines, of_record, set_to
from honest import (LINES, Bundle, answered, decide, digest, evaluation,
                    extracted, generation, gradients, match_key, of_two, seeds,
                    tell_device_ns, with_outputs_of_two)
from of_sizes import with_module

# What kb-manifest(5) lists of a machine, beside what honest.py has.
MORE = {
    "device": {"memory_bytes": 150754820096,
               "host_memory_bytes": 1081101176832},
    "cpu": {"family": "25", "model_number": "17", "stepping": "1",
            "microcode": "0xa101148", "cores_online": 8,
            "l1d_cache_bytes": 32768, "l2_cache_bytes": 1048576,
            "l3_cache_bytes": 33554432, "max_clock_khz": 3700000},
    "os": {"kernel": "6.8.0", "page_bytes": 65536, "distribution": "Debian GNU/Linux 12",
           "transparent_hugepages": "madvise",
           "load_average_1min_milli": 250,
           "begun_utc": "2026-11-21T12:00:00Z"},
    "python": {"path": "/usr/bin/python3", "implementation": "CPython",
               "numpy_version": "2.1.0"},
    "torch": {"cudnn_version": 91002, "build": "Release", "parallel": "OpenMP",
              "triton_version": "3.4.0", "transformers_version": "4.50.0",
              "helion_version": "1.5.1", "tilelang_version": "0.1.15",
              "apache_tvm_ffi_version": {"unavailable": "no"},
              "nvidia_cutlass_dsl_version": "4.8.1",
              "cuda_tile_version": "1.7.0", "cupy_version": "14.2.0",
              "thunderkittens_commit": "ab" * 20,
              "weights_files_count": 4, "weights_bytes": 548118077,
              "weights_sha256": digest(b"weights")},
    "compiler": {"path": "/usr/bin/cc"},
    "gpu": {"uuids": ["GPU-0", "GPU-1"],
            "taken_out": ["GPU-1: the GPU has gone bad: Xid 79"],
            "pci_bus_id": "0000:1b:00.0",
            "serial": "1650", "vbios": "96.00.A0.00.01",
            "inforom": "G520.0202.00.05",
            "board_part_number": "692-2G520-0280-001",
            "gsp_firmware": "580.1", "memory_bus_width_bits": 6144,
            "persistence": True, "compute_mode": "default",
            "power_default_limit_mw": 700000, "pcie_generation": 5,
            "pcie_width": 16, "pcie_generation_max": 5,
            "other_processes": 0},
    "driver": {"cuda_version": "13.0", "nvml_version": "13.580.1"},
    "cuda": {"nvrtc_version": "13.0"},
}


# Options that mean nothing on a CPU, and have their values.
OF_GPUS = {"budget": "1", "deterministic": "off", "interval-ppm": "5000",
           "output-pool-mib": "0", "precision": "fp32", "tf32": "off",
           "trials-max": "200"}


def tell_one_gpu(gpu):
    """That went bad, and was used again by the same run."""
    if gpu:
        del gpu["uuids"]
        gpu["taken_out"] = ["GPU-0: the GPU is lost"]


def tell_machine(record):
    sections = record["environment"]
    for section, facts in MORE.items():
        if section in sections:
            sections[section].update(facts)
    sections["variables"] = {"CC": "gcc-13",
                             "TILELANG_TARGET": {"unavailable": "no"}}
    record["match_key"] = dict(
        match_key(sections, record["policy"]),
        **{"torch.weights_sha256": sections["torch"]["weights_sha256"]})
    record["options"].update(problems="1/1,1/2,1/3,2/1", levels="1,2",
                             python="/usr/bin/python3", cc="cc", nvcc="nvcc")
    record["policy"]["sandbox"] = record["options"]["sandbox"] = "strict"
    if record["tool"]["name"] == "kb-baseline":
        tell_one_gpu(sections.get("gpu", {}))
        record["options"]["print-environment"] = "false"
    else:
        record["options"]["in-place"] = "refuse"
        record["options"]["candidate-weights"] = "reference"
    if "gpu" not in sections:
        record["options"].update(OF_GPUS)


def tell_backends(lines):
    for line in lines:
        if line["status"] != "missing":
            line.update(backend="torch", cpu_ms=1500)


def precisely(record):
    record["policy"].update(tolerance="precise", error_multiple=8)
    record["options"]["tolerance"] = "precise"


def by_v3(record):
    record["policy"].update(tolerance="v3", tolerance_of="tensor")
    record["options"]["tolerance"] = "v3"


def told(bundle, *edits):
    bundle = bundle.copy()
    for edit in edits:
        edit(bundle)
    return bundle


# --- suites and submissions ------------------------------------------------

TOLERANCE = {"atol": "1e-2", "rtol": "0.5"}


def tell_suite(record):
    record.update(version="1.0", upstream_commit="ab" * 20,
                  conventions="v3", world=4)
    record["problems"][0]["collective"] = {"operation": "all_reduce",
                                           "elements": 4096}
    facts = record["problems"][0]["facts"]
    facts["inputs"].append({"name": "alpha", "value": "2.5"})
    facts["parameters"] = {"count": 10,
                           "bytes": {"fp32": 40, "fp16": 20, "bf16": 20}}
    facts["requires"].update(
        device_bytes=facts["requires"]["device_bytes"] + 40,
        compute_capability="8.9", packages=["einops"])
    facts.update(note="of half the size", tags=["elementwise", "matmul"],
                 tolerance=dict.fromkeys(("fp32", "fp16", "bf16"), TOLERANCE))
    for problem in record["problems"]:
        problem["facts"]["audit"]["tool_commit"] = "cd" * 20


def tell_submission(record):
    record.update(
        display_name="A model", organization="A company", model="model-1",
        server_type="local", temperature="0.7", top_p="0.95",
        max_tokens=4096, seed=7, samples_per_problem=2,
        prompt_sha256=digest(b"prompt"), date="2026-11-22", run_name="run 1",
        notes="none", precision="bf16", backend="triton")


# --- evaluations -----------------------------------------------------------

def under_two_seeds(record):
    record["policy"]["in_place"] = record["options"]["in-place"] = "accept"
    record["policy"]["seeds"] = record["options"]["seeds"] = "42,123"
    del record["options"]["seed"]	# earlier releases had it beside them


def by_server(record):
    record["tool"]["name"] = "kb-serve"
    record["options"].update(memory="true", reward="kernelgym")
    record["served"] = {"asked": sum(record["status_counts"].values()) + 3,
                        "remembered": 2, "withdrawn": 1}


def joined(record):
    """GPUs of ranks."""
    record["environment"]["gpu"]["links"] = "nvlink"
    record["match_key"]["gpu.links"] = "nvlink"


def of_ranks(lines):
    """The bound of a candidate has a slack of its own."""
    for line in lines:
        device = line.get("device_timing")
        if device and device["timing"]:
            device["timing"]["one_call_slack_ns"] = 4000
            decide(device["timing"],
                   line["reference_device_timing"]["timing"])
            tell_device_ns(line["timing"], device,
                           line["reference_timing"])


def with_reasons_of_two(lines):
    """That name a rank: the supervisor's words, or a worker's."""
    lines[1]["detail"] = ("rank 1, output 1 [0]: 1, expected 2; 100 % differ; "
                          "rank 0, output 0: 1 of 4096 elements, by up to 1.0")
    lines[3]["detail"] = "rank 1: ended by SIGSEGV (line 7)"


def like_kernelbench(record):
    record["policy"].update(in_place="accept", candidate_weights="own",
                            like="kernelbench")
    record["options"].update({"in-place": "accept", "like": "kernelbench",
                              "candidate-weights": "own"})
    record["match_key"]["policy.like"] = "kernelbench"


def tell_gpu(lines):
    for line in lines:
        line.update(measured_on="GPU-0", output_pool_bytes=51539607552)


def tell_place(lines):
    for line in lines:
        if line["status"] != "missing":
            line.update(backend="torch", measured_on="GPU-0", cpu_ms=1500,
                        built_in_place="RuntimeError: no device",
                        output_pool_bytes=17179869184,
                        reference_output_pool_bytes=51539607552)


def correct_under_both(lines):
    for line in lines:
        if line["status"] == "correct":
            line["seeds"] = [42, 123]


def off_by_much(lines):
    """By a double whose square is infinite."""
    lines[1]["outputs"][0].update(max_abs_error="1e+200", rms_error="inf")


# --- another machine -------------------------------------------------------

def on_another_machine(record):
    record["environment"]["cpu"]["model"] = "Fixture 9000"
    record["match_key"]["cpu.model"] = "Fixture 9000"


def slower(lines):
    for line in lines:
        t = line["timing"]
        for samples in ("small_ns", "large_ns"):
            t[samples] = [ns * 2 for ns in t[samples]]
        decide(t)
        line["trial_seeds"] = seeds(len(line["trial_seeds"]), line["key"],
                                    "elsewhere")


# --- audits ----------------------------------------------------------------

def reduced(record):
    record["policy"]["reduced_sha256"] = digest(b"reduced")
    record["options"].update(evidence="false", levels="1,2")


def reduce_lines(lines):
    for line in lines:
        if line["status"] == "audited":
            line["reduced"] = {"batch_size": "4"}


NONE = {"unavailable": "it raised"}


def moved(by):
    return {"max_abs": by, "max_scaled": by, "rms": "0"}


def make_noise(lines):
    """In proportion on inputs as they are stated, and none where they have
    signs; a choice in the line that has no such inputs."""
    for line in lines:
        if line["status"] != "audited":
            continue
        stated, signed = (line["evidence"][k] for k in ("stated", "signed"))
        large = "0.00128" if signed else "0.5"
        stated["noise"] = {"outputs": [
            {"small": moved("1e-05"), "large": moved(large)}]}
        if signed:
            signed["noise"] = NONE
            continue
        output = stated["outputs"][0]
        line["findings"].append({
            "finding": "rounding_chooses", "evidence":
            "noise of 2^-18 in results changes 1e-05, noise of 2^-11 0.5, "
            "range %.3g to %.3g" % (float(output["min"]), float(output["max"]))})
        line["sound"] = False


def untold(lines):
    """Where no other inputs, no float64 and no operation can be tried."""
    for line in lines:
        if line["status"] != "audited":
            continue
        if line["evidence"]["signed"] is None:
            line["evidence"]["signed"] = NONE
        else:
            for inputs in line["evidence"].values():
                inputs.update(float64=NONE, removal=NONE)
            line["findings"] = [
                found for found in line["findings"] if found["finding"]
                not in ("removable", "tolerance_loose")]


# --- reports ---------------------------------------------------------------

RESULTS = {"1": [{"sample_id": 0, "compiled": True, "correctness": True,
                  "runtime": 1.5}],
           "2": [{"sample_id": 0, "compiled": True, "correctness": False,
                  "runtime": -1.0}],
           "51": [{"sample_id": 0, "compiled": True, "correctness": True,
                   "runtime": 2.0}]}
TIMES = {"level3": {"1_MLP.py": {"mean": 4.0},
                    "2_ShallowWideMLP.py": {"mean": 1.0},
                    "51_New.py": {"mean": 9.0}}}
CSV = (pathlib.Path(__file__).resolve().parents[1] /
       "fuzz/corpus/v3-csv/two-runs.csv")


def reports(pack):
    """By kb-pack, of files of others."""
    here = pathlib.Path("of-others")
    here.mkdir()
    (here / "r.json").write_text(json.dumps(RESULTS))
    (here / "t.json").write_text(json.dumps(TIMES))
    yield "report kernelbench", pack("--level", "3", "--baseline-times",
                                     here / "t.json", here / "r.json")
    yield "report v3", pack("--format", "v3", "--run", "r1", CSV)


# --- generations -----------------------------------------------------------

GENERATE = """. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
ask --samples 3 --seed 5 --price-input 2.5 --price-cached 1 --price-output 10 \\
	--problems 1/1,1/2 --levels 1 &&
{
	answer 1-0 "$code"
	answer 1-1 '"I cannot."'
	answer 1-2 '"```c\\nint y"' length
	answer 2-0 null
	printf '{"custom_id":"%s","response":null,"error":{"message":"late"}}\\n' \
		"$(id 2-1)"
} >a.jsonl && { kb-generate take a.jsonl || test $? = 1; }
"""


def generations(run_script):
    """By kb-generate: suite, generation and submission, with an answer of
    every outcome."""
    store = run_script(GENERATE)
    for path in sorted(store.glob("[0-9a-f]*")):
        record = json.loads((path / "data/manifest.json").read_text())
        yield "%s generated" % record["kind"], path


def without_alternates(lines):
    """A suite of gradients has none."""
    for line in lines:
        line.pop("alternate_inputs", None)


def bundles(made):
    """By name, without scores and reports."""
    for device in ("cpu", "cuda"):
        tell = of_record(tell_machine)
        yield "baseline %s told" % device, told(
            made["baseline " + device], tell,
            *([of_lines(tell_gpu)] if device == "cuda" else []))
        yield "evaluation %s told" % device, told(
            made["evaluation " + device], tell, of_record(precisely),
            *([of_lines(tell_place)] if device == "cuda" else []))
    yield "evaluation cpu seeds", told(
        made["evaluation cpu"], of_record(under_two_seeds),
        of_lines(correct_under_both))
    yield "evaluation cpu like", told(
        made["evaluation cpu"], of_record(like_kernelbench))
    yield "evaluation cpu v3", told(
        made["evaluation cpu"], of_record(by_v3))
    asked = told(made["submission"], of_record(set_to("served",
                                                      "source_format")))
    yield "submission served", asked
    yield "evaluation cpu served", told(
        made["evaluation cpu"], of_record(by_server),
        of_record(set_to(asked.id(), "parents", 1, "id")))
    together = told(made["suite"], of_record(of_two))
    yield "suite of ranks", together
    yield "baseline cuda ranks", told(
        made["baseline cuda"], of_record(joined),
        of_record(set_to(together.id(), "parents", 0, "id")),
        of_lines(with_outputs_of_two))
    yield "evaluation cuda ranks", told(
        made["evaluation cuda"], of_record(joined),
        of_record(set_to(together.id(), "parents", 0, "id")),
        of_lines(with_outputs_of_two), of_lines(of_ranks),
        of_lines(with_reasons_of_two))
    yield "evaluation cpu huge", told(made["evaluation cpu"], of_lines(
        off_by_much))
    yield "evaluation cpu backends", told(made["evaluation cpu"],
                                          of_lines(tell_backends))
    yield "baseline cpu other", told(
        made["baseline cpu"], of_record(on_another_machine),
        of_lines(slower))
    yield "audit told", told(made["audit"], of_record(reduced),
                             of_lines(reduce_lines), of_lines(untold))
    yield "audit noise", told(made["audit"], of_lines(make_noise))
    yield "suite told", told(made["suite"], of_record(tell_suite),
                             with_module)
    suite = made["suite"].id()
    spent = generation(suite, answered())
    taken = extracted(spent, answered())
    yield "generation spent", spent
    yield "extracted spent", taken
    yield "evaluation cpu spent", evaluation(suite, taken.id(), "cpu")
    yield "submission told", told(made["submission"],
                                  of_record(tell_submission))
    slopes = gradients(made["sized"].id(), {})
    yield "gradients all", slopes
    for how, suite, *edits in (
            ("derived", made["derived all"]),
            ("gradients", slopes, of_lines(without_alternates))):
        for name in ("baseline cpu", "evaluation cpu"):
            yield "%s %s" % (name, how), told(
                made[name], of_record(set_to(suite.id(), "parents", 0, "id")),
                *edits)


# Scores by name: parents, and what is asked of kb-score.
SCORES = {
    "score cpu served": ("evaluation cpu served", "baseline cpu"),
    "score cpu other": ("evaluation cpu", "baseline cpu other",
                        "--allow-mismatch", "cpu.model"),
    "score cpu kernelbench": ("evaluation cpu", "baseline cpu",
                              "--preset", "kernelbench"),
    "score cpu v3": ("evaluation cpu seeds", "baseline cpu",
                     "--preset", "v3"),
    "score cpu of tensors": ("evaluation cpu v3", "baseline cpu"),
    "score cpu sound": ("evaluation cpu", "baseline cpu",
                        "--problems", "sound"),
    "score cpu torch": ("evaluation cpu backends", "baseline cpu",
                        "--backend", "torch"),
    "score cpu spent": ("evaluation cpu spent", "baseline cpu"),
    "score cpu derived": ("evaluation cpu derived", "baseline cpu derived"),
    "score cpu gradients": ("evaluation cpu gradients",
                            "baseline cpu gradients"),
    "score cpu precise": ("evaluation cpu told", "baseline cpu told"),
}
