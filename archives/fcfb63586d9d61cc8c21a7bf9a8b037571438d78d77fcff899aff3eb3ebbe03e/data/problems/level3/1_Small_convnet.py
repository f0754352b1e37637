import torch
import torch.nn as nn


class Model(nn.Module):
    """Two convolutions with batch norm and pooling, and a classifier."""

    def __init__(self, in_channels: int, hidden_channels: int, classes: int):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, hidden_channels, kernel_size=3, padding=1)
        self.norm1 = nn.BatchNorm2d(hidden_channels)
        self.conv2 = nn.Conv2d(hidden_channels, hidden_channels, kernel_size=3, padding=1)
        self.norm2 = nn.BatchNorm2d(hidden_channels)
        self.pool = nn.MaxPool2d(2)
        self.classifier = nn.Linear(hidden_channels * 8 * 8, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.pool(torch.relu(self.norm1(self.conv1(x))))
        x = self.pool(torch.relu(self.norm2(self.conv2(x))))
        return self.classifier(torch.flatten(x, 1))


batch_size = 4
in_channels = 3
hidden_channels = 16
classes = 10


def get_inputs():
    return [torch.randn(batch_size, in_channels, 32, 32)]


def get_init_inputs():
    return [in_channels, hidden_channels, classes]
