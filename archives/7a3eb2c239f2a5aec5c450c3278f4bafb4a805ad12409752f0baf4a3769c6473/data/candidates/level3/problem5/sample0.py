import torch
import torch.nn as nn
import torch.nn.functional as F

hidden_size = 4096
map_side = 6


class Model(nn.Module):
    """
    AlexNet in one tower, without local response normalisation.

    x: [batch_size, 3, height, width]; output: [batch_size, num_classes].

    The convolutions leave maps of map_side x map_side. Dropout is there with probability 0.
    """

    def __init__(self, num_classes: int):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 96, 11, stride=4, padding=2)
        self.conv2 = nn.Conv2d(96, 256, 5, padding=2)
        self.conv3 = nn.Conv2d(256, 384, 3, padding=1)
        self.conv4 = nn.Conv2d(384, 384, 3, padding=1)
        self.conv5 = nn.Conv2d(384, 256, 3, padding=1)
        self.fc1 = nn.Linear(256 * map_side * map_side, hidden_size)
        self.fc2 = nn.Linear(hidden_size, hidden_size)
        self.fc3 = nn.Linear(hidden_size, num_classes)
        self.dropout = nn.Dropout(0.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.max_pool2d(F.relu(self.conv1(x), inplace=True), 3, stride=2)
        x = F.max_pool2d(F.relu(self.conv2(x), inplace=True), 3, stride=2)
        x = F.relu(self.conv3(x), inplace=True)
        x = F.relu(self.conv4(x), inplace=True)
        x = F.max_pool2d(F.relu(self.conv5(x), inplace=True), 3, stride=2)
        x = torch.flatten(x, 1)
        x = self.dropout(F.relu(self.fc1(x), inplace=True))
        x = self.dropout(F.relu(self.fc2(x), inplace=True))
        return self.fc3(x)


batch_size = 1024
height = 224
width = 224
num_classes = 1000


def get_inputs():
    return [torch.rand(batch_size, 3, height, width)]


def get_init_inputs():
    return [num_classes]


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
