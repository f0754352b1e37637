# rejected; writes to its input
import torch


class ModelNew(torch.nn.Module):
    def forward(self, x):
        return x.relu_()
