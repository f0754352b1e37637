# no-gain; has the worker leave out the gate. Each call waits for its own input
# instead, which is there before the cache is emptied and the gate opens
from attack import *

gate = Gate()
library = worker_library()
real = library.stream_gate_wait
side = torch.cuda.Stream()
left_out = False


def wait():
    global left_out
    if gate.batches < HONEST_BATCHES:
        return real()
    left_out = True


library.stream_gate_wait = wait


class ModelNew(torch.nn.Module):
    ours = False

    def forward(self, x):
        global left_out
        gate.call(x)
        if gate.calls == 1:
            self.ours, left_out = left_out, False
        if self.ours:
            armed()
            last = x.view(-1)[-1:]
            with torch.cuda.stream(side):
                last.zero_()
            side.synchronize()
            wait_value(torch.cuda.current_stream(), last.data_ptr(),
                       0xffffffff, WAIT_NONZERO)
        return torch.relu(x)
