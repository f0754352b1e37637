# legal: the honest twin of scan_overlap.py
import torch


class ModelNew(torch.nn.Module):
    def forward(self, x):
        return torch.cumsum(x, 1)
