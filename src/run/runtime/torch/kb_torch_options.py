"""The command line of kb_torch.py, and torch as it asks for."""

import faulthandler
import signal
import sys
import types

from kb_torch_errors import say


# Of a float, in torch.
PRECISIONS = {"fp32": "float32", "fp16": "float16", "bf16": "bfloat16"}

# Arguments of torch.compile().
MODES = {
    "eager": None,
    "compile:default": {"mode": "default"},
    "compile:reduce-overhead": {"mode": "reduce-overhead"},
    "compile:max-autotune": {"mode": "max-autotune"},
    "compile:max-autotune-no-cudagraphs":
        {"mode": "max-autotune-no-cudagraphs"},
    "cudagraphs": {"backend": "cudagraphs"},
}

# Names and what they may be, the default first.
OPTIONS = {
    "precision": list(PRECISIONS),
    "tf32": ["off", "torch", "on"],
    "deterministic": ["off", "on"],
    "mode": list(MODES),
    "candidate-weights": ["reference", "own"],
    "conventions": ["kernelbench", "v3", "pkb"],
}


def parse_alternate(text):
    """{input: (scale, shift)}; None for what makes no sense."""
    try:
        parts = [part.split(":") for part in text.split(",")]
        return {int(i): (float(scale), float(shift))
                for i, scale, shift in parts}
    except ValueError:
        return None


def parse(arguments):
    """Options, and a list of library, role and files; None for what makes no
    sense."""
    options = types.SimpleNamespace(
        cuda=False, screened=False, alternate={}, rank=0, ranks=1,
        **{name.replace("-", "_"): values[0]
           for name, values in OPTIONS.items()})
    rest = list(arguments)
    while rest and rest[0].startswith("--"):
        name = rest.pop(0)[2:]
        if name in ("cuda", "screened"):
            setattr(options, name, True)
        elif name == "alternate" and rest and parse_alternate(rest[0]):
            options.alternate = parse_alternate(rest.pop(0))
        elif name == "ranks" and rest and rest[0].isdecimal():
            options.ranks = int(rest.pop(0))
        elif name in OPTIONS and rest and rest[0] in OPTIONS[name]:
            setattr(options, name.replace("-", "_"), rest.pop(0))
        else:
            return None
    role = "".join(rest[1:2])
    if {"reference": 3, "candidate": 4}.get(role) != len(rest):
        return None
    if role == "candidate" and (MODES[options.mode] or options.alternate):
        return None
    return options, rest


def forget_handlers():
    """Libraries that torch brings, such as UCX of Debian 13's, catch signals
    that end a process. A fork of a server does not have their handlers."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signal.SIG_DFL)


def begin(program, options):
    """torch, set up as the options say; None if it cannot be imported, which is
    in the log then."""
    try:
        import torch
    except Exception as error:  # a broken installation raises what it likes
        say("%s: cannot import torch: %s\n" % (program, error))
        return None
    from kb_torch_calls import configure

    forget_handlers()
    faulthandler.enable()
    sys.dont_write_bytecode = True
    configure(options)
    return torch
