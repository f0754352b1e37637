# expected: correct; the ReLU after the pooling, where a quarter is left
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, in_channels, hidden_channels, classes):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, hidden_channels, kernel_size=3, padding=1)
        self.norm1 = nn.BatchNorm2d(hidden_channels)
        self.conv2 = nn.Conv2d(hidden_channels, hidden_channels, kernel_size=3, padding=1)
        self.norm2 = nn.BatchNorm2d(hidden_channels)
        self.pool = nn.MaxPool2d(2)
        self.classifier = nn.Linear(hidden_channels * 8 * 8, classes)

    def forward(self, x):
        x = torch.relu(self.pool(self.norm1(self.conv1(x))))
        x = torch.relu(self.pool(self.norm2(self.conv2(x))))
        return self.classifier(torch.flatten(x, 1))
