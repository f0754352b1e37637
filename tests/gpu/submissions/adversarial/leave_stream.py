# legal; leaves the stream on which its output will be ready the current one.
# With SYNC its calls cannot be queued
import torch

SYNC = globals().get("SYNC", 0)
REPEATS = 100


class ModelNew(torch.nn.Module):
    def forward(self, x):
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        if SYNC:
            torch.cuda.synchronize()
        torch.cuda.set_stream(side)
        for _ in range(REPEATS):
            y = torch.relu(x)
        return y
