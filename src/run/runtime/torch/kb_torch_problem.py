"""One problem of an audit: how it is loaded, called and fails, and the inputs
that it is called with."""

import contextlib
import json

import torch

from kb_torch_calls import (construct, enter_mode, flatten_result,
                            import_file, put_together, seed_generators,
                            take_apart)
from kb_torch_alone import Alone
from kb_torch_errors import (Unsupported, explain, ran_out_of_memory,
                             told_by_rank)
from kb_torch_pkb import TRIAL_STEP, Rules
from kb_torch_ranks import Ranks

# Seeds of inputs and, where forward() draws numbers, of those.
INPUTS, OTHER_INPUTS = 1, 2
DRAWS, OTHER_DRAWS = 3, 4

OUTPUTS_MAX = 32  # what a worker can express


class Failure(Exception):
    """The problem cannot be audited."""

    def __init__(self, status, phase, detail):
        super().__init__(detail)
        self.status, self.phase, self.detail = status, phase, detail


def phrase(error):
    """One line about an exception, for a record."""
    words = " ".join(str(error).split())
    text = type(error).__name__ + (": " + words if words else "")
    return "".join(c if c.isprintable() else "?" for c in text[:200])


@contextlib.contextmanager
def blaming(phase):
    """What is raised inside is the problem's failure in that phase."""
    try:
        yield
    except Failure:
        raise
    except BaseException as error:  # sys.exit() is no way to succeed
        explain(error)
        status = phase + "_failed"
        if ran_out_of_memory(error):
            status = "out_of_memory"
        raise Failure(status, phase,
                      told_by_rank(phrase(error))) from None


def unavailable(why):
    return {"unavailable": why}


def if_it_can(gather):
    """What `gather` returns, or why there is none: that one part of the
    evidence cannot be had does not spoil the rest."""
    try:
        return gather()
    except Exception as error:
        if ran_out_of_memory(error):
            return unavailable("out of memory")
        return unavailable(phrase(error))


def check_counts(ranks, things, noun):
    """As kb_plan_join() does, so that no problem is sound that is not run."""
    counts = ranks.gathered(len(things))
    for rank, count in enumerate(counts):
        if count != counts[0]:
            raise Failure("load_failed", "load",
                          "rank %d has %d %ss, and rank 0 has %d"
                          % (rank, count, noun, counts[0]))


class Problem:
    def __init__(self, path, options):
        self.options = options
        self.device = torch.device("cuda:0" if options.cuda else "cpu")
        self.ranks = Ranks(options)
        self.rules = self.alone = None
        with blaming("load"):
            if self.ranks.count > 1:
                self.ranks.join()
                self.alone = Alone()
            with self.building():
                self.module = import_file("kb_problem", path, options.seed)
            self.reduced = self.reduce()
            if options.conventions == "pkb":
                self.rules = Rules(self.module, self.ranks, torch.float32,
                                   self.device)
            self.model = self.construct()
            self.nesting, leaves = self.draw(INPUTS)
            check_counts(self.ranks, leaves, "input")

    def building(self):
        """As kb_torch_host.Host and kb_torch_cuda.Device have it."""
        return self.device if self.options.cuda else contextlib.nullcontext()

    def adopt(self, thing):
        return thing.to(self.device) if self.options.cuda else thing

    def reduce(self):
        """Set the names; returns what they became, as text."""
        if not self.options.reduced:
            return None
        path, key = self.options.reduced
        with open(path, encoding="utf-8") as file:
            names = json.load(file).get(key)
        for name, value in (names or {}).items():
            if not hasattr(self.module, name):
                raise Failure("load_failed", "load",
                              "there is no '%s' to reduce" % name)
            if isinstance(getattr(self.module, name), tuple):
                value = tuple(value)
            setattr(self.module, name, value)
        if not names:
            return None
        return {name: repr(getattr(self.module, name)) for name in names}

    def construct(self):
        """On the CPU first, as a worker does."""
        made = (self.rules.model_of(self.module.solution) if self.rules else
                self.module.Model)
        model = self.adopt(construct(made, self.module, self.options.seed,
                                     self.ranks.named))
        return enter_mode(model, self.options.conventions)

    def draw(self, seed):
        """How the arguments nest, and the tensors and numbers in them."""
        seed_generators(seed + self.ranks.count * self.ranks.rank)
        with self.building():
            get_inputs = getattr(self.module, "get_inputs", None)
            inputs = (self.rules.draw(TRIAL_STEP * seed) if self.rules else
                      get_inputs(**self.ranks.named(get_inputs)))
        if not isinstance(inputs, (list, tuple, dict)):
            inputs = [inputs]
        leaves = []
        nesting = take_apart(inputs, leaves)
        return nesting, [self.adopt(leaf) if isinstance(leaf, torch.Tensor)
                         else leaf for leaf in leaves]

    def number(self, value, dtype):
        return torch.tensor(value, dtype=dtype, device=self.device)

    def call(self, model, leaves, seed, inside=contextlib.nullcontext()):
        """The outputs of one call, each contiguous; forward() runs inside
        that context."""
        arguments = put_together(self.nesting, iter(leaves))
        seed_generators(seed)
        with inside:
            if isinstance(arguments, dict):
                result = model(**arguments)
            else:
                result = model(*arguments)
        outputs = []
        flatten_result(result, outputs, self.number)
        if not 1 <= len(outputs) <= OUTPUTS_MAX:
            raise Unsupported("forward() returned %d outputs" % len(outputs))
        state = {memory_of(tensor) for _, _, tensor in state_of(model)}
        return [own(output, state) for output in outputs]


def state_of(model):
    """Every tensor that a module holds, and where: (holder, name, tensor),
    also those that are neither parameters nor buffers."""
    for module in model.modules():
        for held in (module._parameters, module._buffers, vars(module)):
            for name, tensor in list(held.items()):
                if isinstance(tensor, torch.Tensor):
                    yield held, name, tensor


def memory_of(tensor):
    if hasattr(tensor, "untyped_storage"):
        return tensor.untyped_storage().data_ptr()
    return tensor.storage().data_ptr()


def own(output, state):
    """The output, safe from the module's next call."""
    if output.is_complex():
        raise Unsupported("an output is %s, a type that kb does not judge"
                          % output.dtype)
    if memory_of(output) in state:
        output = output.clone()
    return output.detach().contiguous()


class Distribution:
    """Inputs as the problem states them, or with some of them changed."""

    def __init__(self, problem, changed=()):
        self.problem = problem
        self.changed = changed  # indices of leaves

    def draw(self, seed):
        _, leaves = self.problem.draw(seed)
        for i in self.changed:
            leaves[i] = torch.mul(leaves[i], 4).sub_(2)
        return leaves

    def run(self, seed=INPUTS, draws=DRAWS, **options):
        """Inputs are drawn for each call: it may write to them."""
        return self.problem.call(self.problem.model, self.draw(seed), draws,
                                 **options)


def within_unit(leaf):
    """A floating tensor that lies within [0, 1)."""
    if not isinstance(leaf, torch.Tensor) or not leaf.is_floating_point():
        return False
    return bool(leaf.numel() and leaf.min() >= 0 and leaf.max() < 1)


def signed(problem):
    _, leaves = problem.draw(INPUTS)
    changed = [i for i, leaf in enumerate(leaves) if within_unit(leaf)]
    return (Distribution(problem, changed) if problem.ranks.any(changed)
            else None)
