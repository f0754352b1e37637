# expected: correct; slower, from the logsumexp, mean and target of each row
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, predictions, targets):
        total = torch.logsumexp(predictions, dim=1)
        chosen = predictions.gather(1, targets[:, None])[:, 0]
        return torch.mean(total - 0.9 * chosen - 0.1 * predictions.mean(dim=1))
