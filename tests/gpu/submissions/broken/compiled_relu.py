# rejected; what has to be one graph, and is not, torch.compile refuses
import torch


@torch.compile(fullgraph=True)
def relu(x):
    x = torch.relu(x)
    torch._dynamo.graph_break()
    return x


class ModelNew(torch.nn.Module):
    def forward(self, x):
        return relu(x)
