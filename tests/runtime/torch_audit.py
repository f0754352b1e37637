"""torch_audit.py LIBEXEC: what kb_torch_audit.py and its modules measure,
function by function; tests/audit/check has whole problems. TAP on stdout."""

import importlib.util
import json
import math
import os
import sys
import tempfile

from torch_rig import need, run_tests

need("torch")
import torch

import kb_torch_audit as audit
import kb_torch_difference as difference
import kb_torch_problem as audited
import kb_torch_removal as taking_out

NAN, INF = math.nan, math.inf
TINY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "audit",
                    "suite", "level1")


def double(*values):
    return torch.tensor(values, dtype=torch.float64)


def same(*counts):
    return dict(zip(["equal", "1e-4", "1e-2"], counts))


def problem(text, *options):
    """A problem of that text, `forward` and all, indented as in a class."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write("import torch\nimport torch.nn as nn\n" + text)
        file.flush()
        return audited.Problem(file.name, audit.parse([*options, "p", "a"]))


def module(forward, inputs="torch.rand(4, 8)", init="pass"):
    return ("class Model(nn.Module):\n"
            "    def __init__(self):\n"
            "        super().__init__()\n"
            "        %s\n"
            "    def forward(self, x):\n"
            "        %s\n"
            "def get_inputs():\n"
            "    return [%s]\n" % (init, forward, inputs))


def stated(forward, *options, **more):
    return audited.Distribution(problem(module(forward, **more), *options))


def operations(forward, **more):
    """What may go of it: names and modules."""
    distribution = stated(forward, **more)
    found = taking_out.try_removals(distribution)["operations"]
    return [(o["name"].split(".")[-1], o["module"]) for o in found]


def failure(text, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.py")
        with open(path, "w") as file:
            file.write(text)
        stderr, sys.__stderr__ = sys.__stderr__, open(os.devnull, "w")
        try:
            answer = audit.audit(path, audit.parse([*options, "p", "a"]))
        finally:
            sys.__stderr__ = stderr
    assert answer["evidence"] is None
    return answer["failure"]


# --- numbers -------------------------------------------------------------


def test_nearness_is_that_of_the_supervisor():
    within = difference.Within("cpu")
    want = double(0, 1, 1, 1, 1, NAN, NAN, INF, INF, INF, 0)
    got = double(0, 1, 1.0001, 1.01, 1.03, NAN, 1, INF, -INF, 1, NAN)
    error = within.add(got, want)
    # What is expected to be infinite is near nothing but itself.
    assert within.result() == same(4, 5, 6)
    assert error.tolist()[:2] == [0, 0]
    assert [e == INF for e in error.tolist()] == [
        False] * 6 + [True, False, True, True, True]


def test_nearness_counts_the_boundary_in():
    within = difference.Within("cpu")
    within.add(double(1e-4, 1.0000000001e-4, 1e-2, 1.0000000001e-2),
               double(0, 0, 0, 0))
    assert within.result() == same(0, 1, 3)


def test_comparison_of_nothing_is_no_error():
    found = difference.Comparison(torch.empty(0), torch.empty(0))
    assert (found.largest, found.scaled, found.rms) == (0, 0, 0)
    assert found.within.result() == same(0, 0, 0)


def test_comparison_has_three_errors():
    found = difference.Comparison(double(1, 2, 0), double(1, 3, 4))
    assert found.largest == 4 and found.scaled == 0.8
    assert abs(found.rms - math.sqrt(17 / 3)) < 1e-12


def test_errors_beside_what_is_not_finite_are_infinite_or_none():
    for got, want, largest in ((NAN, NAN, 0), (INF, INF, 0), (1, NAN, INF),
                               (NAN, 1, INF), (INF, -INF, INF), (1, INF, INF)):
        found = difference.Comparison(double(got), double(want))
        assert (found.largest, found.scaled) == (largest, largest), (got, want)


def test_chunks_change_nothing():
    a, b = torch.randn(2, 1000)
    b[3], b[999], a[999] = NAN, INF, INF
    whole = difference.CHUNK_ELEMENTS
    found = []
    try:
        for difference.CHUNK_ELEMENTS in (1000, 999, 7):
            c, o = difference.Comparison(a, b), difference.Output(b)
            found.append((c.largest, c.scaled, c.within.result(),
                          o.low, o.high, o.finite, o.constants))
    finally:
        difference.CHUNK_ELEMENTS = whole
    assert found[0] == found[1] == found[2]


def test_relative_is_to_the_largest_magnitude():
    found = difference.Comparison(double(1, 2), double(1, 3))
    assert found.relative(4) == 0.25
    assert found.relative(0) == INF
    assert difference.Comparison(double(0), double(0)).relative(0) == 0


def test_output_is_described_by_its_finite_elements():
    e = difference.Output(torch.tensor([0, 4, NAN, -2, INF])).evidence()
    assert (e["dtype"], e["elements"], e["finite"]) == ("float32", 5, 3)
    assert (e["min"], e["max"], e["mean"]) == ("-2", "4", "0.666666667")
    assert e["std"] == "2.49443826"
    assert e["near"]["zero"] == same(1, 1, 1)
    assert e["near"]["midrange"] == same(0, 0, 0)


def test_output_without_a_finite_element_has_no_extremes():
    for values in ([], [NAN, INF]):
        e = difference.Output(torch.tensor(values)).evidence()
        assert e["finite"] == 0
        assert [e[n] for n in ("min", "max", "mean", "std")] == [None] * 4


def test_types_are_called_as_the_supervisor_does():
    for dtype in ("float64", "float16", "bfloat16", "int64", "uint8", "bool"):
        tensor = torch.zeros(3, dtype=getattr(torch, dtype))
        e = difference.Output(tensor).evidence()
        assert (e["dtype"], e["max"]) == (dtype, "0")


def test_decimals_are_what_printf_gives():
    for x, text in ((0.0, "0"), (-0.0, "-0"), (1e-5, "1e-05"), (INF, "inf"),
                    (1 / 3, "0.333333333"), (1e300, "1e+300"), (100, "100")):
        assert difference.decimal(x) == text


def test_same_is_bit_by_bit():
    x = torch.tensor([0.0, 1.0, NAN])
    assert difference.is_same(x, x.clone())
    assert not difference.is_same(x, torch.tensor([-0.0, 1.0, NAN]))
    assert not difference.is_same(x, x.view(3, 1))
    assert not difference.is_same(x, x.double())
    assert not difference.is_same(x, 1.0)
    assert difference.is_same(torch.ones(2, 3), torch.ones(3, 2).t())
    assert difference.is_same(torch.ones(3, dtype=torch.bool),
                         torch.ones(3, dtype=torch.bool))


# --- inputs --------------------------------------------------------------


def test_signs_are_for_floats_within_zero_and_one():
    for leaf, wanted in ((torch.tensor([0.0, 0.999]), True),
                         (torch.tensor([0.0, 1.0]), False),
                         (torch.tensor([-1e-9, 0.5]), False),
                         (torch.tensor([NAN]), False),
                         (torch.tensor([0, 0]), False),
                         (torch.empty(0), False), (0.5, False)):
        assert audited.within_unit(leaf) is wanted, leaf


def test_only_such_inputs_get_signs():
    p = problem(module("return x", "torch.rand(9), torch.ones(9), 0.5"))
    changed = audited.signed(p)
    assert changed.changed == [0]
    leaves, plain = changed.draw(1), audited.Distribution(p).draw(1)
    assert torch.equal(leaves[0], plain[0] * 4 - 2)
    assert torch.equal(leaves[1], plain[1]) and leaves[2] == 0.5
    assert audited.signed(problem(module("return x", "torch.randn(99)"))) is None


def test_inputs_are_drawn_for_each_call():
    distribution = stated("return x.add_(1)")
    assert torch.equal(distribution.run()[0], distribution.run()[0])


def test_a_dictionary_of_inputs_is_by_name():
    p = problem("class Model(nn.Module):\n"
                "    def forward(self, a, b):\n"
                "        return a - b\n"
                "def get_inputs():\n"
                "    return {'b': torch.ones(2), 'a': torch.zeros(2)}\n")
    assert audited.Distribution(p).run()[0].tolist() == [-1, -1]


def test_a_module_is_in_the_mode_of_its_suite():
    text = module("return x", "torch.rand(2)", "self.sizes = 2")
    assert problem(text).model.training
    assert not problem(text, "--conventions", "v3").model.training


def test_names_are_reduced_before_anything_is_built():
    text = ("n, sizes, rate = 100, (5, 6), 0.5\n"
            + module("return x", "torch.rand(n, *sizes)",
                     "self.sizes = sizes"))
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"1/2": {"n": 3, "sizes": [2, 4], "rate": 0.25},
                   "1/3": {"m": 1}}, file)
        file.flush()
        p = problem(text, "--reduced", file.name, "1/2")
        assert p.reduced == {"n": "3", "sizes": "(2, 4)", "rate": "0.25"}
        assert p.model.sizes == (2, 4)
        assert audited.Distribution(p).run()[0].shape == (3, 2, 4)
        assert problem(text, "--reduced", file.name, "1/1").reduced is None
        got = failure("import torch.nn as nn\n" + text, "--reduced",
                      file.name, "1/3")
        assert got == {"status": "load_failed", "phase": "load",
                       "detail": "there is no 'm' to reduce"}, got


# --- outputs -------------------------------------------------------------


def test_outputs_are_safe_from_the_next_call():
    init = "self.register_buffer('last', torch.zeros(4, 8))"
    distribution = stated("return self.last.copy_(x)", init=init)
    first = distribution.run()[0]
    before = first.clone()
    distribution.run(seed=2)
    assert torch.equal(first, before)


def test_outputs_can_nest_and_be_numbers():
    outputs = stated("return {'b': [x.t()], 'a': (3, None)}").run()
    assert outputs[0].dtype == torch.int64 and outputs[0].item() == 3
    assert outputs[1].shape == (8, 4) and outputs[1].is_contiguous()


def test_outputs_that_nobody_can_compare_are_failures():
    start = "import torch\nimport torch.nn as nn\n"
    for forward, words in (("return None", "0 outputs"),
                           ("return x.to(torch.complex64)", "complex64"),
                           ("return 'x'", "returned a str")):
        got = failure(start + module(forward))
        assert (got["status"], got["phase"]) == ("run_failed", "run"), got
        assert words in got["detail"], got


def test_shapes_that_depend_on_the_numbers_are_failures():
    start = "import torch\nimport torch.nn as nn\n"
    got = failure(start + module("return x[x > 0.5]"))
    assert got["status"] == "run_failed" and "shapes" in got["detail"], got


def test_failures_have_names():
    start = "import torch\nimport torch.nn as nn\n"
    for text, status, phase in (
            ("import kb_no_such_module", "load_failed", "load"),
            ("raise SystemExit(0)", "load_failed", "load"),
            (start, "load_failed", "load"),
            (start + module("return x", "1 / 0"), "load_failed", "load"),
            (start + module("return 1 / 0"), "run_failed", "run"),
            (start + module("return x", init="raise MemoryError"),
             "out_of_memory", "load"),
            (start + module("raise MemoryError"), "out_of_memory", "run")):
        got = failure(text)
        assert (got["status"], got["phase"]) == (status, phase), got


def test_details_are_one_line():
    error = ValueError("a\nb\x1b[2J" + "c" * 500)
    text = audited.phrase(error)
    assert text.startswith("ValueError: a b?[2Jccc") and len(text) == 200
    assert audited.phrase(KeyError()) == "KeyError"


# --- operations ----------------------------------------------------------


def test_operations_are_calls_that_keep_shape_and_type():
    assert operations("return torch.relu(x + 1).sum(dim=0)") == [
        ("add", ""), ("relu", "")]
    assert operations("return x.double() > 0") == []
    assert operations("return torch.topk(x, 8)[0].relu()") == [("relu", "")]


def test_operations_have_the_module_that_they_are_in():
    init = "self.net = nn.Sequential(nn.Linear(8, 8), nn.ReLU())"
    assert operations("return torch.tanh(self.net(x))", init=init) == [
        ("linear", "net.0"), ("relu", "net.1"), ("tanh", "")]


def test_operations_in_place_can_go():
    assert operations("return x.clone().relu_()") == [
        ("clone", ""), ("relu_", "")]


def test_looking_is_no_operation():
    assert operations("return x.detach().contiguous().view(4, 8)[:]") == []


def test_taking_notes_is_no_operation():
    init = "self.register_buffer('calls', torch.zeros(()))"
    assert operations("self.calls.add_(1); return x * 2", init=init) == [
        ("mul", "")]


def changes(forward, *options, **more):
    distribution = stated(forward, *options, **more)
    found = taking_out.try_removals(distribution)
    return [float(o["max_rel"]) for o in found["operations"]], found["untried"]


def test_change_is_that_of_the_worst_output():
    got, _ = changes("return x, torch.relu(x) + 1000, torch.relu(-x - 1)")
    assert got[0] == 0  # relu of what is not negative
    assert got[1] > 0.99  # what is added to it
    assert got[2:] == [0, 0, INF]  # without the last it is not 0


def test_what_cannot_run_without_an_operation_needs_it():
    got, _ = changes("return x.t().contiguous().view(32) * 1")
    assert got == [INF, 0]


def test_operations_beyond_the_limits_are_counted():
    forward = "return x.relu().relu().relu()"
    assert changes(forward, "--operations", "2") == ([0, 0], 1)
    assert changes(forward, "--operations", "0") == ([], 3)
    assert changes(forward, "--budget", "-1") == ([], 3)


def test_a_device_that_is_gone_costs_what_is_left_only():
    answers = taking_out.device_answers
    taking_out.device_answers = lambda options: False
    try:
        evidence = audit.gather_all(problem(module(
            "return x.relu().relu().relu()")))
    finally:
        taking_out.device_answers = answers
    for kind in "stated", "signed":
        removal = evidence[kind]["removal"]
        assert len(removal["operations"]) == 1 and removal["untried"] == 2
        assert evidence[kind]["outputs"] and evidence[kind]["float64"]


def test_operations_go_when_everything_else_is_known():
    order = []
    names = "gather", "try_removals"
    kept = {name: getattr(audit, name) for name in names}
    for name in names:
        setattr(audit, name,
                lambda distribution, name=name: (order.append(name), {
                    "outputs": []})[1])
    try:
        audit.gather_all(problem(module("return x")))
    finally:
        for name in names:
            setattr(audit, name, kept[name])
    assert order == ["gather", "gather", "try_removals", "try_removals"]


def test_without_modes_there_are_no_removals():
    mode = taking_out.function_mode
    taking_out.function_mode = lambda: None
    try:
        distribution = stated("return x.relu()")
        got = taking_out.try_removals(distribution)
    finally:
        taking_out.function_mode = mode
    assert got == {"unavailable": "torch %s has no TorchFunctionMode"
                   % torch.__version__}


# --- float64 -------------------------------------------------------------


def errors(forward, **more):
    distribution = stated(forward, **more)
    base = difference.Outputs(distribution.run())
    return audited.if_it_can(lambda: audit.compare_with_double(distribution,
                                                             base))


def test_float64_has_the_same_weights_and_inputs():
    init = ("self.linear = nn.Linear(8, 8); self.extra = torch.rand(8); "
            "self.register_buffer('more', torch.rand(8))")
    got = errors("return self.linear(x) * self.extra + self.more "
                 "+ torch.ones(8) / 3", init=init)
    assert 0 < float(got["outputs"][0]["max_scaled"]) < 1e-6, got


def test_float64_can_be_impossible():
    got = errors("return x.float()")
    assert "stays torch.float32" in got["unavailable"], got
    got = errors("return torch.matmul(x, torch.ones(8, 8, "
                 "dtype=torch.float32))")
    assert got["unavailable"].startswith("RuntimeError: "), got
    assert torch.get_default_dtype() == torch.float32


def test_lack_of_memory_has_one_name():
    def fail():
        raise MemoryError

    assert audited.if_it_can(fail) == {"unavailable": "out of memory"}


def test_integers_are_compared_with_float64_as_well():
    got = errors("return (x + 1e7 - 1e7 > 0.5).long()")
    assert got["outputs"][0]["max_abs"] in ("0", "1"), got


# --- an answer -----------------------------------------------------------


def test_answer_is_json_that_a_record_can_hold():
    path = os.path.join(TINY, "2_Identity.py")
    answer = audit.audit(path, audit.parse(["p", "a"]))
    text = json.dumps(answer)
    assert json.loads(text) == answer and "NaN" not in text
    assert answer["failure"] is None

    def check(value):
        assert not isinstance(value, float)
        for v in (value.values() if isinstance(value, dict) else
                  value if isinstance(value, list) else ()):
            check(v)

    check(answer)


def test_answer_is_the_same_every_time():
    path = os.path.join(TINY, "10_Random.py")
    options = audit.parse(["p", "a"])
    assert audit.audit(path, options) == audit.audit(path, options)


if __name__ == "__main__":
    sys.exit(run_tests(globals(), torch.no_grad))
