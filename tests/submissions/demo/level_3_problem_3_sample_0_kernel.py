# expected: correct; one product for the inputs of all steps
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, in_features, hidden_features):
        super().__init__()
        self.input = nn.Linear(in_features, 4 * hidden_features)
        self.hidden = nn.Linear(hidden_features, 4 * hidden_features)

    def forward(self, x, h, c):
        steps = []
        for gates in self.input(x).unbind(dim=1):
            gates = gates + self.hidden(h)
            i, f, g, o = gates.chunk(4, dim=1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            steps.append(h)
        return {"outputs": torch.stack(steps, dim=1), "states": (h, c)}
