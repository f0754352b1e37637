# legal; its first call records a graph in which cuBLAS and cuDNN are used, and
# nothing of it has used them before
import torch


class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.graph = None

    def capture(self, x):
        self.x = torch.empty_like(x)
        one = torch.ones(1, 1, 1, 1, device=x.device)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            product = torch.matmul(one[0, 0], one[0, 0])
            convolved = torch.nn.functional.conv2d(one, one)
            self.y = torch.relu(self.x) * product * convolved[0, 0]

    def forward(self, x):
        if self.graph is None:
            self.capture(x)
        self.x.copy_(x)
        self.graph.replay()
        return self.y
