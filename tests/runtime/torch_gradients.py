"""torch_gradients.py: the texts that make Model of a problem compute gradients,
src/ground/manifest/gradients_*.py, behind problems made for this. TAP on
stdout."""

import importlib.util
import pathlib
import sys
import types

if not importlib.util.find_spec("torch"):
    print("1..0 # SKIP '%s' has no torch" % sys.executable)
    sys.exit()
import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src/run/runtime/torch"))
from kb_torch_calls import construct  # noqa: E402

rule = None
number = failed = 0


def result(name, holds):
    global number, failed
    number += 1
    failed += not holds
    print("%s %d - %d: %s" % ("ok" if holds else "not ok", number, rule, name))


def derived(problem):
    """The module, of a text that lacks its imports."""
    text = ROOT / ("src/ground/manifest/gradients_%d.py" % rule)
    module = types.ModuleType("problem")
    exec("import torch\nimport torch.nn as nn\n" + problem + text.read_text(),
         module.__dict__)
    return module


def called(module, model=None):
    """What a worker does: everything without gradients."""
    with torch.no_grad():
        model = model or construct(module.Model, module, 1)
        torch.manual_seed(2)
        inputs = module.get_inputs()
        if isinstance(inputs, dict):
            return model, inputs, model(**inputs)
        return model, inputs, model(*inputs)


def equal(got, want):
    return len(got) == len(want) and all(
        torch.equal(a, b) if b is not None else a is None
        for a, b in zip(got, want))


LINEAR = """
class Model(nn.Module):
    def __init__(self, n):
        super(Model, self).__init__()
        self.b = nn.Parameter(torch.randn(n))
        self.w = nn.Parameter(torch.randn(n, n))
        self.unused = nn.Parameter(torch.randn(n))
        self.fixed = nn.Parameter(torch.randn(n), requires_grad=False)
        self.register_buffer("scale", torch.ones(n))

    def forward(self, x, count, y):
        return (x @ self.w + self.b) * count.sum() * y * self.scale


def get_inputs():
    return [torch.rand(3, 4), torch.ones(2, dtype=torch.int64),
            torch.rand(3, 1)]


def get_init_inputs():
    return [4]
"""


def linear():
    module = derived(LINEAR)
    model, (x, count, y, g), got = called(module)
    product = x @ model.w
    result("gradients of inputs, then of parameters by name, None if there is "
           "none", len(got) == 5 and got[4] is None and all(
               torch.allclose(a, b) for a, b in zip(got, (
                   2 * y * g @ model.w.T,
                   (2 * (product + model.b) * g).sum(1, keepdim=True),
                   (2 * y * g).sum(0), x.T @ (2 * y * g)))))
    result("the last input is like the output, and of no other type",
           g.shape == (3, 4) and g.dtype == torch.float32)
    result("the state keeps its names",
           list(model.state_dict()) == ["b", "w", "unused", "fixed", "scale"])
    result("nothing is left in the parameters",
           all(p.grad is None for p in model.parameters()))
    result("inputs and gradients are plain tensors",
           not any(t.requires_grad for t in (x, y, g, *got[:4])))
    _, again, _ = called(module, model)
    result("a seed gives the same inputs, whether it is the first call",
           equal(again, [x, count, y, g]))
    torch.manual_seed(3)
    before = torch.get_rng_state()
    model(x, count, y, g)
    result("a call draws no numbers", torch.equal(torch.get_rng_state(), before))
    result("another gradient of the output gives other gradients",
           not torch.equal(model(x, count, y, 2 * g)[0], got[0]))


def nested():
    """Lists and dictionaries, in and out, as kb-torch(7) flattens them."""
    module = derived("""
class Model(nn.Module):
    def forward(self, z, a):
        return {"q": a[1] * 2, "p": [a[0] * 3, a[0].argmax(), z * a[0]]}


def get_inputs():
    return {"z": torch.rand(2), "a": (torch.rand(2), torch.rand(3))}
""")
    _, inputs, got = called(module)
    first, second, third = inputs["grad_output"]
    result("several outputs have a list, in order, without integers",
           [g.shape for g in inputs["grad_output"]] == [(2,), (2,), (3,)])
    result("a dictionary is differentiated in the order of its keys",
           equal(got, [3 * first + inputs["z"] * second, 2 * third,
                       inputs["a"][0] * second]))


def wide():
    """In float64, by the plain definition where there is one."""
    module = derived("""
class Model(nn.Module):
    def forward(self, x):
        return x.float() * 3

    def forward_plain(self, x):
        return x * 5


def get_inputs():
    return torch.rand(3)
""")
    model, (x, g), got = called(module)
    plain = model.forward_plain(x.double(), g.double())
    result("forward_plain is differentiated as well",
           equal(got, [3 * g]) and equal(plain, [5 * g.double()]))


# By position and by name, which the first text does not know.
TOGETHER = [[2], {"b": 3}], [[], {"a": 2}], [[2, 3], {}]


def constructed():
    """get_init_inputs() returns each of these, and a and b are such then."""
    for start, a, b in ({"a": 2, "b": 3}, 2, 3), ([2, 3], 2, 3), ((2,), 2, 7), \
            (([2], {"b": 3}), [2], {"b": 3}), ([[2], {1: 3}], [2], {1: 3}), \
            (TOGETHER[0], 2, 3), (TOGETHER[1], 2, 7), (TOGETHER[2], 2, 3):
        if rule == 1 and start in TOGETHER:
            continue
        module = derived("""
class Model(nn.Module):
    def __init__(self, a, b=7):
        super(Model, self).__init__()
        if (a, b) != %r:
            raise TypeError("a is %%r, b is %%r" %% (a, b))

    def forward(self, x):
        return x * 5


def get_inputs():
    return [torch.rand(3)]


def get_init_inputs():
    return %r
""" % ((a, b), start))
        try:
            _, (_, g), got = called(module)
            holds = equal(got, [5 * g])
        except Exception as error:
            print("# %s: %s" % (type(error).__name__, error))
            holds = False
        result("a model of %r has gradients" % (start,), holds)


def refused(name, body, want):
    module = derived("""
class Model(nn.Module):
    def forward(self, x):
        %s


def get_inputs():
    return [torch.rand(3)]
""" % body)
    try:
        called(module)
        said = "nothing"
    except Exception as error:
        said = "%s: %s" % (type(error).__name__, error)
    result("%s is refused" % name, said.startswith(want))


for rule in 1, 2:
    linear()
    nested()
    wide()
    constructed()
    refused("an output of integers", "return x.argmax()",
            "TypeError: no output has a gradient")
    refused("an output without dependence", "return x.detach() * 2",
            "TypeError: no output has a gradient")
    refused("a change of an input", "return x.relu_()",
            "RuntimeError: a leaf Variable that requires grad is being used in "
            "an in-place operation")
print("1..%d" % number)
sys.exit(failed > 0)
