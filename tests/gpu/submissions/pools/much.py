# legal: a call of it does not fit an output pool of 64 MiB
import torch


class ModelNew(torch.nn.Module):
    def forward(self, x):
        torch.empty(100 << 20, dtype=torch.uint8, device=x.device)
        return torch.relu(x)
