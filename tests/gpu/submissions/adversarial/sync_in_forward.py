# legal; waits for the device in every call, so that calls cannot be queued
import torch


class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.relu(x)
        torch.cuda.synchronize()
        return y
