"""A recurrent network whose steps are one CUDA graph.

What a step needs of the input alone, and the read-out of what it gives, are matrix
products of all steps at once. A product of the hidden state and a tanh are left of
each of the 256 steps, whose launches would take longer than the work.
"""
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.graph = None

    def steps(self, x, hidden):
        steps, batch, width = x.shape
        from_x, from_hidden = self.i2h.weight.split([width, hidden.shape[1]], 1)
        states = torch.addmm(self.i2h.bias, x.reshape(-1, width), from_x.t())
        states = states.view(steps, batch, -1)
        for state in states:
            state.addmm_(hidden, from_hidden.t()).tanh_()
            hidden = state
        return self.h2o(states)

    def capture(self, x, hidden):
        self.x, self.hidden = x.clone(), hidden.clone()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            self.steps(self.x, self.hidden)
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.y = self.steps(self.x, self.hidden)

    def forward(self, x, h0):
        if self.graph is None:
            self.capture(x, h0)
        self.x.copy_(x)
        self.hidden.copy_(h0)
        self.graph.replay()
        return self.y.clone()
