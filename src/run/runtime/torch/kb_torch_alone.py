"""Ranks that do not communicate, for audits: what torch.distributed's functions would
leave in their tensors if the other ranks had sent zeros, or what this rank has.

Functions are replaced before any code of a problem is imported, and communicate
unless they are told otherwise.
"""

import contextlib
import functools

import torch
import torch.distributed as dist

# How the data of other ranks is made up; what an audit calls it.
WAYS = {
    "zeros": "communication (others send zeros)",
    "mirrored": "communication (others send what this rank has)",
}


class Done(list):
    """What a function returns that was asked not to wait: a request, or a list
    of them."""

    def wait(self, *_):
        return True

    def is_completed(self):
        return True


class Alone:
    def __init__(self):
        self.way = None
        for name in FUNCTIONS:
            if hasattr(dist, name):
                setattr(dist, name, self.replace(name, getattr(dist, name)))
        # P2POp takes these two alone.
        dist.distributed_c10d.isend = dist.isend
        dist.distributed_c10d.irecv = dist.irecv

    def replace(self, name, original):
        @functools.wraps(original)
        def call(*args, **kwargs):
            if not self.way:
                return original(*args, **kwargs)
            FUNCTIONS[name](self, *args, **kwargs)
            return Done()

        return call

    @contextlib.contextmanager
    def by(self, way):
        self.way = way
        try:
            yield
        finally:
            self.way = None

    def others(self, mine):
        """What another rank has where this one has `mine`."""
        return mine if self.way == "mirrored" else torch.zeros_like(mine)

    # --- what is left in the tensors -----------------------------------

    def reduce_into(self, out, mine, op, group):
        count = dist.get_world_size(group)
        parts = [mine] + [self.others(mine)] * (count - 1)
        name = str(op).rpartition(".")[2]
        total = torch.stack(parts)
        if name in ("MAX", "MIN"):
            out.copy_(total.amax(0) if name == "MAX" else total.amin(0))
        elif name == "PRODUCT":
            out.copy_(total.prod(0))
        else:
            total = total.sum(0)
            out.copy_(total / count if name == "AVG" else total)

    def all_reduce(self, tensor, op=None, group=None, **_):
        self.reduce_into(tensor, tensor.clone(), op, group)

    def reduce(self, tensor, dst=0, op=None, group=None, **_):
        self.reduce_into(tensor, tensor.clone(), op, group)

    def broadcast(self, tensor, src=0, group=None, **_):
        """Whoever did not send has what it had."""

    def all_gather(self, tensor_list, tensor, group=None, **_):
        for i, place in enumerate(tensor_list):
            place.copy_(tensor if i == dist.get_rank(group)
                        else fitted(self.others(tensor), place))

    def all_gather_into_tensor(self, output_tensor, input_tensor, group=None,
                               **_):
        parts = output_tensor.view(dist.get_world_size(group), -1)
        for i, place in enumerate(parts):
            flat = input_tensor.reshape(-1)
            place.copy_(flat if i == dist.get_rank(group)
                        else self.others(flat))

    def gather(self, tensor, gather_list=None, dst=0, group=None, **_):
        if gather_list:
            self.all_gather(gather_list, tensor, group)

    def scatter(self, tensor, scatter_list=None, src=0, group=None, **_):
        if scatter_list:
            tensor.copy_(scatter_list[dist.get_rank(group)])
        else:
            tensor.zero_()

    def reduce_scatter(self, output, input_list, op=None,
                       group=None, **_):
        self.reduce_into(output, input_list[dist.get_rank(group)], op, group)

    def reduce_scatter_tensor(self, output, input, op=None,
                              group=None, **_):
        parts = input.view(dist.get_world_size(group), *output.shape)
        self.reduce_into(output, parts[dist.get_rank(group)], op, group)

    def all_to_all(self, output_tensor_list, input_tensor_list, group=None, **_):
        mine = input_tensor_list[dist.get_rank(group)]
        self.all_gather(output_tensor_list, mine, group)

    def all_to_all_single(self, output, input, output_split_sizes=None,
                          input_split_sizes=None, group=None, **_):
        count = dist.get_world_size(group)
        self.all_to_all(
            list(output.split(output_split_sizes or
                              output.shape[0] // count)),
            list(input.split(input_split_sizes or input.shape[0] // count)),
            group)

    def barrier(self, *_, **__):
        """Another rank may have failed."""

    # An object that another rank would have sent is None in place of zeros.

    def all_gather_object(self, object_list, obj, group=None, **_):
        for i in range(len(object_list)):
            if i == dist.get_rank(group) or self.way == "mirrored":
                object_list[i] = obj
            else:
                object_list[i] = None

    def gather_object(self, obj, object_gather_list=None, dst=0, group=None,
                      **_):
        if object_gather_list:
            self.all_gather_object(object_gather_list, obj, group)

    def scatter_object_list(self, scatter_object_output_list,
                            scatter_object_input_list=None, src=0, group=None,
                            **_):
        mine = scatter_object_input_list
        scatter_object_output_list[0] = mine and mine[dist.get_rank(group)]

    def recv(self, tensor, *_, **__):
        tensor.zero_()

    def send(self, tensor, *_, **__):
        """Nobody gets it."""

    def batch_isend_irecv(self, p2p_op_list):
        sent = [p.tensor for p in p2p_op_list if "send" in p.op.__name__]
        for p in p2p_op_list:
            if "recv" in p.op.__name__:
                p.tensor.copy_(fitted(self.others(
                    sent.pop(0) if sent else p.tensor), p.tensor))


def fitted(tensor, place):
    """Where ranks have parts of different sizes, as much of it as there is."""
    if tensor.shape == place.shape:
        return tensor
    flat = torch.zeros_like(place).reshape(-1)
    count = min(flat.numel(), tensor.numel())
    flat[:count] = tensor.reshape(-1)[:count]
    return flat.view(place.shape)


FUNCTIONS = {name: getattr(Alone, name) for name in (
    "all_reduce", "reduce", "broadcast", "all_gather",
    "all_gather_into_tensor", "gather", "scatter", "reduce_scatter",
    "reduce_scatter_tensor", "all_to_all", "all_to_all_single", "barrier",
    "all_gather_object", "gather_object", "scatter_object_list", "recv", "send",
    "batch_isend_irecv")}
FUNCTIONS["_all_gather_base"] = Alone.all_gather_into_tensor
FUNCTIONS["_reduce_scatter_base"] = Alone.reduce_scatter_tensor
FUNCTIONS["monitored_barrier"] = Alone.barrier
FUNCTIONS["broadcast_object_list"] = Alone.broadcast
FUNCTIONS["irecv"], FUNCTIONS["isend"] = Alone.recv, Alone.send
