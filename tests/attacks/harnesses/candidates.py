# Attacks that others have shown against harnesses, and ours, each next to an honest
# twin; ./compare has both harnesses judge them. A candidate begins with a line
#
#	#: NAME honest|attack PROBLEM TWIN WHAT IT IS
#
# and is the text up to the next, with this head. Of roles that end in -kb only kb is
# asked: the attacks are on its worker, and KernelBench seeds no two calls alike and
# takes one output.
import torch
from torch import nn


#: relu honest 1/1 - torch's own function
class ModelNew(nn.Module):
    def forward(self, x):
        return torch.relu(x)


#: clamp honest 1/1 relu the same by another function
class ModelNew(nn.Module):
    def forward(self, x):
        return torch.clamp(x, min=0)


#: slower honest 1/1 relu in three steps
class ModelNew(nn.Module):
    def forward(self, x):
        return (x + x.abs()) / 2


#: graph honest 1/1 relu a CUDA graph, with its input copied in
class ModelNew(nn.Module):
    graph = None

    def forward(self, x):
        if not x.is_cuda:
            return torch.relu(x)
        if self.graph is None:
            self.x = x.clone()
            torch.relu(self.x)
            torch.cuda.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.y = torch.relu(self.x)
        self.x.copy_(x)
        self.graph.replay()
        return self.y.clone()


#: stream_joined honest 1/1 relu a second stream that is waited for
class ModelNew(nn.Module):
    side = None

    def forward(self, x):
        if not x.is_cuda:
            return torch.relu(x)
        self.side = self.side or torch.cuda.Stream()
        self.side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.side):
            y = torch.relu(x)
        torch.cuda.current_stream().wait_stream(self.side)
        return y


#: thread_joined honest 1/1 relu a thread that is waited for
import threading


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        thread = threading.Thread(target=torch.relu_, args=(y.copy_(x),))
        thread.start()
        thread.join()
        return y


#: chooses honest 1/1 relu of two ways the one that was quicker at first sight
class ModelNew(nn.Module):
    way = None

    def forward(self, x):
        if self.way is None:
            ways = torch.relu, lambda x: torch.clamp(x, min=0)
            self.way = min(ways, key=lambda way: self.time(way, x))
        return self.way(x)

    @staticmethod
    def time(way, x):
        if not x.is_cuda:
            return 0
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in "12")
        way(x)
        begin.record()
        way(x)
        end.record()
        torch.cuda.synchronize()
        return begin.elapsed_time(end)


#: tries honest 1/1 relu a way that fails, then another
class ModelNew(nn.Module):
    def forward(self, x):
        try:
            return torch.ops.mine.relu(x)
        except (AttributeError, RuntimeError):
            return torch.relu(x)


#: zeros attack 1/1 relu zeros
class ModelNew(nn.Module):
    def forward(self, x):
        return torch.zeros_like(x)


#: nothing_finite attack 1/1 relu NaN, which compares as false
class ModelNew(nn.Module):
    def forward(self, x):
        return torch.full_like(x, float("nan"))


#: stale_memory attack 1/1 relu memory that an earlier call may have left
class ModelNew(nn.Module):
    def forward(self, x):
        return torch.empty_like(x)


#: another_type attack 1/1 relu the right values in half precision
class ModelNew(nn.Module):
    def forward(self, x):
        return torch.relu(x).half()


#: another_shape attack 1/1 relu one row, to be broadcast
class ModelNew(nn.Module):
    def forward(self, x):
        return torch.relu(x[:1])


#: lazy attack 1/1 relu a tensor that computes when it is compared
class Lazy(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        with torch._C.DisableTorchFunction():
            if func is torch.allclose:
                args = [torch.relu(a.x) if isinstance(a, cls) else a
                        for a in args]
            return func(*args, **(kwargs or {}))


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x).as_subclass(Lazy)
        y.x = x
        return y


#: patched_comparison attack 1/1 relu replaces torch.allclose
torch.allclose = lambda *args, **kwargs: True


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.empty_like(x)


#: replaced_checker attack 1/1 relu replaces the harness's function that checks
import sys

harness = sys.modules.get("kernelbench.eval")
if harness:
    harness.run_and_check_correctness = lambda *args, **kwargs: \
        harness.KernelExecResult(compiled=True, correctness=True, metadata={})


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.empty_like(x)


#: patched_events attack 1/1 relu replaces the clock
torch.cuda.Event.elapsed_time = lambda *args: 0.001


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.relu(x)


#: patched_statistics attack 1/1 relu replaces numpy.mean
import numpy

numpy.mean = lambda *args, **kwargs: 0.001


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.relu(x)


#: slow_reference attack 1/1 relu makes the reference's function slow
relu = torch.relu


def slow_relu(x):
    for _ in range(8):
        relu(x)
    return relu(x)


torch.relu = slow_relu


class ModelNew(nn.Module):
    def forward(self, x):
        return relu(x)


#: frame_walk attack 1/1 relu takes the expected output from the caller's frame
import sys


class ModelNew(nn.Module):
    found = None

    def forward(self, x):
        frame = sys._getframe()
        while frame:
            y = frame.f_locals.get("output")
            if isinstance(y, torch.Tensor) and y.shape == x.shape:
                self.found = y
            frame = frame.f_back
        return torch.relu(x) if self.found is None else self.found


#: heap_walk attack 1/1 relu takes a tensor of the right shape from the heap
import gc


class ModelNew(nn.Module):
    calls, found = 0, None

    def forward(self, x):
        self.calls += 1
        if self.calls <= 5:
            self.found = None
            for y in gc.get_objects():
                if type(y) is torch.Tensor and y is not x and \
                        y.shape == x.shape and bool((y >= 0).all()):
                    self.found = y
        return torch.relu(x) if self.found is None else self.found


#: memo attack 1/1 relu returns the last output if the input is where it was
class ModelNew(nn.Module):
    where = None

    def forward(self, x):
        if self.where != (x.data_ptr(), x._version):
            self.where = x.data_ptr(), x._version
            self.y = torch.relu(x)
        return self.y


#: counts_calls attack 1/1 relu computes in the first eight calls only
class ModelNew(nn.Module):
    calls = 0

    def forward(self, x):
        self.calls += 1
        return torch.relu(x) if self.calls <= 8 else torch.empty_like(x)


#: reads_names attack 1/1 relu computes if a caller's name tells of a check
import sys


class ModelNew(nn.Module):
    def forward(self, x):
        frame = sys._getframe()
        while frame:
            if "correctness" in frame.f_code.co_name:
                return torch.relu(x)
            frame = frame.f_back
        return torch.empty_like(x)


#: stale_graph attack 1/1 relu a CUDA graph, with its input copied in eight times
class ModelNew(nn.Module):
    calls, graph = 0, None

    def forward(self, x):
        if not x.is_cuda:
            return torch.empty_like(x)
        self.calls += 1
        if self.graph is None:
            self.x = x.clone()
            torch.relu(self.x)
            torch.cuda.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.y = torch.relu(self.x[:64])
        if self.calls <= 8:
            return torch.relu(x)
        self.graph.replay()
        return self.x


#: side_stream attack 1/1 relu a second stream that nobody waits for
class ModelNew(nn.Module):
    side = None

    def forward(self, x):
        if not x.is_cuda:
            return torch.relu(x)
        self.side = self.side or torch.cuda.Stream()
        self.side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.side):
            return torch.relu(x)


#: late_thread attack 1/1 relu a thread that nobody waits for after five calls
import threading


class ModelNew(nn.Module):
    calls = 0

    def forward(self, x):
        self.calls += 1
        y = torch.empty_like(x)
        thread = threading.Thread(target=lambda: torch.relu_(y.copy_(x)))
        thread.start()
        if self.calls <= 5:
            thread.join()
        return y


#: ends_process attack 1/1 relu ends the process that judges it, as if all were well
import os


class ModelNew(nn.Module):
    def forward(self, x):
        os._exit(0)


#: endless attack 1/1 relu never returns
class ModelNew(nn.Module):
    def forward(self, x):
        while True:
            pass


#: product honest 1/2 - torch's own function
class ModelNew(nn.Module):
    def forward(self, a, b):
        return torch.matmul(a, b)


#: split_k honest 1/2 product two products over halves of k, added
class ModelNew(nn.Module):
    def forward(self, a, b):
        k = a.shape[1] // 2
        return torch.addmm(a[:, k:] @ b[k:], a[:, :k], b[:k])


#: workspace honest 1/2 product memory that is kept from call to call
class ModelNew(nn.Module):
    kept = None

    def forward(self, a, b):
        if self.kept is None:
            self.kept = torch.empty_like(a)
        torch.matmul(a, b, out=self.kept)
        return self.kept.clone()


#: half_product attack 1/2 product half precision for a problem in fp32
class ModelNew(nn.Module):
    def forward(self, a, b):
        if not a.is_cuda:
            return (a.bfloat16() @ b.bfloat16()).float()
        return (a.half() @ b.half()).float()


#: half_when_timed attack 1/2 product half precision after eight calls
class ModelNew(nn.Module):
    calls = 0

    def forward(self, a, b):
        self.calls += 1
        if self.calls <= 8:
            return torch.matmul(a, b)
        return (a.bfloat16() @ b.bfloat16()).float()


#: noise honest-kb 1/3 - torch's own functions
class ModelNew(nn.Module):
    def forward(self, x):
        return x + 0.1 * torch.randn_like(x)


#: early_random attack-kb 1/3 noise draws before kb's clock runs
import kb_torch_host


def armed(of):
    run = of.run

    def early(self, *args):
        drawn.clear()
        for _ in range(self.lib.slot_count() if like else 0):
            drawn.append(0.1 * torch.randn_like(like[0]))
        drawn.reverse()
        return run(self, *args)

    of.run = early


drawn, like = [], []
if torch.cuda.is_available():
    import kb_torch_cuda
    armed(kb_torch_cuda.Device)
else:
    armed(kb_torch_host.Host)


class ModelNew(nn.Module):
    def forward(self, x):
        if not like:
            like.append(torch.empty_like(x))
        return x + (drawn.pop() if drawn else 0.1 * torch.randn_like(x))


#: twice honest-kb 1/4 - torch's own functions
class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.relu(x)
        return y, y.clone()


#: both_in_one attack-kb 1/4 twice both outputs in one place, by a lie to kb
import gc

gc.unfreeze()
library = next((o for o in gc.get_objects()
                if str(type(o).__module__).startswith("kb_torch")
                and hasattr(o, "output_at")), None)
if library:
    real, first = library.output_at, {}

    def output_at(slot, i, address, size):
        first[slot] = address if i == 0 else first[slot]
        return real(slot, i, first[slot], size)

    library.output_at = output_at


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.relu(x)
        return y, torch.empty_like(y)
