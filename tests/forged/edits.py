"""Random edits of honest bundles, one or two at a time: what is not free is
refused. FREE is what a record may say without anything else saying it; all
other members are derived, or bounded, or implied by an option."""

import copy
import fnmatch
import random
import shutil

from honest import LINES, RECORD, SCORES

KINDS = {"baseline cpu": LINES, "baseline cuda": LINES,
         "evaluation cpu": LINES, "evaluation cuda": LINES,
         "score cpu": SCORES, "score cuda": SCORES, "audit": LINES}


def places(value, path=()):
    """Every place within, as a path."""
    if path:
        yield path
    items = (value.items() if isinstance(value, dict) else
             enumerate(value) if isinstance(value, list) else ())
    for key, item in items:
        yield from places(item, path + (key,))


def name_of(member, path):
    steps = ("N" if isinstance(step, int) else step for step in path)
    return "%s: %s" % ("record" if member == RECORD else "line",
                       ".".join(steps))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def changed(value, r):
    """Another value, most often of the same type."""
    if r.random() < 0.2:
        return r.choice([None, True, 0, -1, "x", [], {}, 2 ** 60, ""])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return r.choice([value + 1, value - 1, value * 2, value // 2, -value])
    if isinstance(value, str):
        return r.choice([value + "1", value[1:], value.swapcase(),
                         value[::-1]])
    return r.choice([None, 1, "1"])


def edit(value, others, r):
    """Bend `value` in place at one place; returns its path, or None if that
    changed nothing."""
    path = r.choice(list(places(value)))
    parent, step = at(value, path[:-1]), path[-1]
    was = copy.deepcopy(parent)
    how = r.choice(["remove", "change", "change", "double", "swap", "swap"])
    if how == "remove":
        parent.pop(step)
    elif how == "change":
        parent[step] = changed(parent[step], r)
    elif how == "double" and isinstance(parent, list):
        parent.insert(step, copy.deepcopy(parent[step]))
    elif how == "swap":
        try:
            parent[step] = copy.deepcopy(at(r.choice(others), path))
        except (KeyError, IndexError, TypeError):
            return None
    # JSON's true is not 1, and Python's is.
    return None if repr(parent) == repr(was) else path


def bend(made, r):
    """(bundle, names of the places that were bent); none of two edits of which
    one undoes the other."""
    name = r.choice(sorted(KINDS))
    bundle, names = made[name].copy(), []
    for _ in range(r.choice([1, 1, 2])):
        kind = name.split()[0]
        others = [made[k] for k in KINDS if k.split()[0] == kind]
        if r.random() < 0.5:
            value, member = bundle.record, RECORD
            path = edit(value, [b.record for b in others], r)
            bundle.record = value
        else:
            member = KINDS[name]
            value = bundle.lines(member)
            i = r.randrange(len(value))
            path = edit(value[i], [b.lines(member)[min(i, len(
                b.lines(member)) - 1)] for b in others], r)
            bundle.set_lines(value, member)
        if path:
            names.append("%s %s" % (kind, name_of(member, path)))
    return bundle, names if bundle.files != made[name].files else []


# --- what is free ----------------------------------------------------------

# By kind and place, N for an index. Facts of the environment are free where only
# the match key of the other kind of device has them; options where another text
# says the same, or another of the device's numbers. Free within bounds are counts
# of a policy that are no option, what a device says of itself, and samples: a
# time follows from them, and few nanoseconds here and there leave it as it is.
FREE = """
* record: parents.N.id
* record: tool.version
* record: tool.git_commit
* record: tool.git_dirty
* record: environment.*.unavailable
* record: environment.isolation
* record: environment.isolation.*
* record: environment.compiler
* record: environment.compiler.version
* record: environment.cpu
* record: environment.cpu.boost
* record: environment.cpu.governor
* record: environment.cpu.smt
* record: environment.gpu.l2_cache_bytes
* record: environment.gpu.uuid
* record: environment.torch
* record: environment.torch.cuda_version
* record: environment.torch.threads_count
* record: options.modes
* record: options.device
* record: options.jobs
* record: options.problems
* record: policy.alone_runs
* record: policy.batch_calls_max
* record: policy.batch_min_ns
* record: policy.native_flags
* record: policy.one_call_pairs
* record: policy.one_call_pairs_max
* line: detail
* line: log
* line: log_truncated
* line: wall_ns
* line: signal
* line: trial_seeds
* line: trial_seeds.N
* line: *timing.small_ns.N
* line: *timing.large_ns.N
* line: *timing.one_call_ns
* line: *timing.one_call_ns.N
* line: *timing.alone_ns
* line: *timing.alone_ns.N
* line: *timing.n_one_call
* line: *timing.n_small
* line: *timing.n_large
* line: *timing.stop_reason
* line: *timing.copy_in_*
* line: *device_timing.repeated
* line: *device_timing.not_queueable
* line: *device_timing.control_*
* line: *device_timing.telemetry.*
* line: fp64_reference_error.*
* line: outputs.N.*
* line: alternate_inputs.*
audit line: evidence.*
score record: model
"""


def is_free(name):
    return any(fnmatch.fnmatchcase(name, pattern)
               for pattern in FREE.strip().splitlines())


def accepted(made, verify, count, seed, path):
    """(names of the places, what was said) of each edit that is no no."""
    r = random.Random(seed)
    for _ in range(count):
        bundle, names = bend(made, r)
        if not names:
            continue
        shutil.rmtree(path, ignore_errors=True)
        bundle.write(path)
        status, text = verify(path)
        if status != 1:
            yield names, "exit %d: %s" % (status, text)
