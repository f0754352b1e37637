"""The CUDA device, as kb_torch_host.py has the CPU.

Inputs are the supervisor's device memory. Outputs stay where forward() made
them: it allocates from the pool that the supervisor has given us, and the
supervisor is told where in it they are.
"""

import contextlib
import os
import sys

import torch

from kb_torch_calls import generator_states, tensor_bytes

DEVICE = "cuda:0"  # a worker sees one


class Memory:
    """Bytes at an address, as torch.as_tensor() takes them."""

    def __init__(self, address, count):
        self.__cuda_array_interface__ = {
            "data": (address, False),
            "shape": (count,),
            "typestr": "|u1",
            "version": 2,
        }


def dense_strides(shape):
    strides, count = [], 1
    for n in reversed(shape):
        strides.insert(0, count)
        count *= n
    return strides


def device_tensor(dtype, shape, address, strides=None):
    """The tensor at `address`, contiguous without `strides`: no copy, and no
    view of another either, so that compilers see an input like any other."""
    tensor = torch.empty(0, dtype=dtype, device=DEVICE)
    if 0 in shape:
        return tensor.view(shape)
    memory = torch.as_tensor(Memory(address, tensor_bytes(dtype, shape)),
                             device=DEVICE)
    return tensor.set_(memory.untyped_storage(), 0, shape,
                       strides or dense_strides(shape))


def end_of(tensor):
    return tensor.data_ptr() + tensor.numel() * tensor.element_size()


def share_bytes(one, other):
    """Of two that are contiguous."""
    return (one.data_ptr() < end_of(other)
            and other.data_ptr() < end_of(one))


def holders(tensors, i):
    return sys.getrefcount(tensors[i])


def init():
    """torch.cuda's, which asks how many devices there are: NVML opens all of the
    host's, and a worker sees those that it is told."""
    shown = os.environ.get("CUDA_VISIBLE_DEVICES")
    if shown and hasattr(torch.cuda, "_cached_device_count"):
        torch.cuda._cached_device_count = len(shown.split(","))
    torch.cuda.init()


# torch's own limit between the blocks that it keeps for small tensors and others.
SMALL_BYTES = 1 << 20


def unused_blocks(snapshot, stream):
    """Sizes in bytes of the blocks that torch has and does not use, and would use for a
    tensor of that size on this stream."""
    return sorted((block["size"] for segment in snapshot
                   for block in segment["blocks"]
                   if block["state"] == "inactive"
                   and segment["stream"] == stream
                   and segment.get("segment_pool_id", (0, 0)) == (0, 0)
                   and (block["size"] > SMALL_BYTES)
                   == (segment["segment_type"] == "large")), reverse=True)


class Output:
    """A place for an output that is not there yet."""

    def __init__(self, slot, i, dtype, shape, kept):
        self.slot = slot
        self.i = i
        self.dtype = dtype
        self.shape = shape
        self.bytes = tensor_bytes(dtype, shape)
        self.kept = kept  # what its set of slots keeps


class Device:
    """The methods of kb_torch_host.Host, and a pool."""

    tensor = staticmethod(device_tensor)

    def __init__(self, worker):
        number = worker.lib.number
        self.worker = worker
        self.lib = worker.lib
        self.pool = None
        self.allocator = None
        self.no_memory = number("KB_ACK_NO_MEMORY")
        self.first_master = number("KB_MASTER_SLOT")
        self.kept = {False: [], True: []}  # outputs in use; of masters?
        self.unheld = holders([torch.empty(0)], 0)
        self.gates = {
            number("KB_GATE_HOST"): self.run_behind_host_gate,
            number("KB_GATE_STREAM"): self.run_behind_stream_gate,
            number("KB_GATE_NONE"): self.run_plainly,
        }

    def open(self):
        """No code has run yet: what fails here is not its fault."""
        global DEVICE
        DEVICE = "cuda:%d" % self.worker.ranks.rank
        refusal = self.worker.refusal
        if not hasattr(torch.cuda, "MemPool"):
            raise refusal("CODE_COUNT", "torch %s is too old for a CUDA device"
                          % torch.__version__)
        try:
            self.lib.cuda_open()
            init()
            torch.cuda.set_device(DEVICE)
        except Exception as error:
            if getattr(error, "code", None) == self.no_memory:
                raise
            raise refusal("CODE_COUNT", str(error)) from None
        # The first use looks up functions that Draws is going to replace.
        with self.building():
            torch.empty(0)

    def open_libraries(self, records):
        """The handles of cuBLAS and cuDNN, as a process has them in which a
        model has run. torch makes them when they are needed first, and while
        a CUDA graph is recorded, which may be in a candidate's first call,
        they cannot be made. In a screen such a call may fail, and is judged
        again alone: most candidates do without, and the driver makes the
        handles of one process after those of another.

        cuDNN's handle takes 0.15 s, and in a process that has it a stream
        waits longer for another. So only a candidate that `records` gets it.
        Ranks send and receive by other streams in every call, and do without."""
        try:
            torch.cuda.current_blas_handle()
            if records and self.worker.ranks.count == 1:
                one = torch.ones(1, 1, 1, 1, device=DEVICE)
                torch.nn.functional.conv2d(one, one)
            torch.cuda.synchronize()
        except Exception as error:
            raise self.worker.refusal("CODE_COUNT", str(error)) from None

    def device(self):
        return torch.device(DEVICE)

    building = device

    def adopt(self, thing):
        return thing.cuda()

    def number(self, value, dtype):
        """Made by the device: a copy would have to wait for the gate."""
        return torch.full((), value, dtype=dtype, device=DEVICE)

    def spoil(self):
        """Fill the memory that torch does not use with what is no number. Code that
        leaves some of an output unwritten may find there what the reference had
        computed."""
        with contextlib.suppress(Exception):
            stream = torch.cuda.current_stream().cuda_stream
            held = [torch.full([size], 255, dtype=torch.uint8, device=DEVICE)
                    for size in unused_blocks(torch.cuda.memory_snapshot(),
                                              stream)]
            del held

    def map_pool(self):
        self.lib.pool_map()
        self.allocator = torch.cuda.memory.CUDAPluggableAllocator(
            self.lib.path, "kbrt_pool_alloc", "kbrt_pool_free")
        self.pool = torch.cuda.MemPool(self.allocator.allocator())

    def is_master(self, slot):
        return slot >= self.first_master

    def outputs(self, slot):
        kept = self.kept[self.is_master(slot)]
        return [Output(slot, i, dtype, shape, kept)
                for i, (dtype, shape)
                in enumerate(self.worker.output_shapes)]

    def put(self, flat, i, place):
        """Leave the output where it is, if the supervisor can read it there
        and nobody has kept it to write to it again; else copy it. An output
        within another one of its call is copied, too."""
        held = holders(flat, i) > self.unheld
        got = flat[i]
        before = place.kept[len(place.kept) - place.i:]
        if (held or not self.is_there(got) or not got.is_contiguous()
                or got.is_neg()
                or any(share_bytes(got, other) for other in before)
                or not self.tell(got, place)):
            got = torch.empty(got.shape, dtype=got.dtype,
                              device=DEVICE).copy_(got)
            if not self.tell(got, place):
                raise self.worker.refusal("RUN_FAILED",
                                          "torch does not use the pool")
        place.kept.append(got)

    @staticmethod
    def is_there(tensor):
        return tensor.is_cuda

    def tell(self, tensor, place):
        return self.lib.output_at(place.slot, place.i, tensor.data_ptr(),
                                  place.bytes)

    def generator_states(self):
        return generator_states(), torch.cuda.get_rng_state().tolist()

    def forget(self, slot):
        self.kept[self.is_master(slot)].clear()

    def settle(self):
        self.lib.device_sync()

    def tidy(self):
        torch.cuda.empty_cache()

    def run(self, call_all, acknowledge_queued):
        if not self.pool:
            raise self.worker.refusal("CODE_COUNT", "there is no pool")
        gate = self.gates[self.lib.gate_of_request()]

        def calls():
            call_all()
            self.rejoin()

        self.recycle()
        with torch.cuda.use_mem_pool(self.pool):
            gate(calls, acknowledge_queued)

    def recycle(self):
        """While torch allocates from a pool of ours it does not free memory that
        another stream has used, such as one that communicates, and the next run
        would get other memory. Allocated elsewhere, torch records events behind
        that use, and frees what is past its event."""
        for _ in range(2):
            torch.empty(1, device=DEVICE)
            self.lib.device_sync()

    @staticmethod
    def rejoin():
        """Whoever leaves another stream the current one returns tensors that
        are ready on that one: what says "done" waits for it, since torch's
        streams do not by themselves, and the next run begins on ours."""
        current = torch.cuda.current_stream()
        ours = torch.cuda.default_stream()
        if current != ours:
            ours.wait_stream(current)
            torch.cuda.set_stream(ours)

    def run_behind_host_gate(self, call_all, acknowledge_queued):
        failure = None
        acknowledge_queued()
        self.lib.gate_wait()
        try:
            call_all()
            self.lib.stream_gate_done()
        except BaseException as error:  # SystemExit is a failure as well
            failure = error
            self.lib.gate_failed()  # what was queued does not matter any more
        self.lib.gate_wait_release()
        if failure is not None:
            raise failure
        self.lib.device_sync()

    def run_behind_stream_gate(self, call_all, acknowledge_queued):
        """A failure is said at once: the device waits behind the gate, and
        would not get to saying that it is done."""
        self.lib.stream_gate_wait()
        call_all()
        self.lib.stream_gate_done()
        acknowledge_queued()
        self.lib.gate_wait_release()
        self.lib.device_sync()

    def run_plainly(self, call_all, acknowledge_queued):
        call_all()
        self.lib.device_sync()
