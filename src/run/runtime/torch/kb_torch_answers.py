"""What a build answers for the device that it has not.

Much code asks which device there is before it compiles for it. Of the GPU that
the run is for some facts are known, and torch's functions answer from them: that
there is one, and its name, compute capability and number of multiprocessors.
No context is made. Whatever else code wants of a device fails, as it does without
one, and the code is built where it runs.
"""

import torch


class Properties:
    """Of torch.cuda.get_device_properties(), what is known."""

    def __init__(self, facts):
        self.name = facts["name"]
        self.major, self.minor = map(int, facts["compute_capability"].split("."))
        self.multi_processor_count = facts["multiprocessors"]

    def __getattr__(self, name):
        # No AttributeError: code would take that for an answer.
        raise RuntimeError("a build has no device that has a '%s'" % name)


def is_first(device):
    """Is it the one that a worker has?"""
    if device is None or isinstance(device, int):
        return not device
    device = torch.device(device)
    return device.type == "cuda" and not device.index


def answer(facts):
    """From now on, from `facts` of a record's GPU. torch's other questions are
    made of these."""
    properties = Properties(facts)

    def get_device_properties(device=None):
        if not is_first(device):
            raise RuntimeError("a build has no device '%s'" % device)
        return properties

    torch.cuda.is_available = lambda: True
    torch.cuda.device_count = lambda: 1
    torch.cuda.current_device = lambda: 0
    torch.cuda.get_device_properties = get_device_properties
