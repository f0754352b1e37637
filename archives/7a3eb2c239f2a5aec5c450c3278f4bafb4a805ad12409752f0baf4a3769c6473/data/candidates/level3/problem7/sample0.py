import torch
import torch.nn as nn
import torch.nn.functional as F


class Inception(nn.Module):
    """
    Four parallel branches over the same maps, joined along channels; no activation anywhere.
    """

    def __init__(
        self,
        in_channels: int,
        out_1x1: int,
        reduce_3x3: int,
        out_3x3: int,
        reduce_5x5: int,
        out_5x5: int,
        pool_proj: int,
    ):
        super().__init__()
        self.branch1x1 = nn.Conv2d(in_channels, out_1x1, 1)
        self.branch3x3 = nn.Sequential(
            nn.Conv2d(in_channels, reduce_3x3, 1),
            nn.Conv2d(reduce_3x3, out_3x3, 3, padding=1),
        )
        self.branch5x5 = nn.Sequential(
            nn.Conv2d(in_channels, reduce_5x5, 1),
            nn.Conv2d(reduce_5x5, out_5x5, 5, padding=2),
        )
        self.branch_pool = nn.Sequential(
            nn.MaxPool2d(3, stride=1, padding=1),
            nn.Conv2d(in_channels, pool_proj, 1),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        branches = [self.branch1x1, self.branch3x3, self.branch5x5, self.branch_pool]
        return torch.cat([branch(x) for branch in branches], 1)


class Model(nn.Module):
    """
    GoogLeNet (Inception v1) without auxiliary classifiers and without normalisation.

    x: [batch_size, 3, height, width]; output: [batch_size, num_classes].

    Only the three convolutions of the stem have a ReLU: the inception blocks have none.
    Dropout is there with probability 0.
    """

    def __init__(self, num_classes: int):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, stride=2, padding=3)
        self.conv2 = nn.Conv2d(64, 64, 1)
        self.conv3 = nn.Conv2d(64, 192, 3, padding=1)
        self.pool = nn.MaxPool2d(3, stride=2, padding=1)

        self.inception3a = Inception(192, 64, 96, 128, 16, 32, 32)
        self.inception3b = Inception(256, 128, 128, 192, 32, 96, 64)
        self.inception4a = Inception(480, 192, 96, 208, 16, 48, 64)
        self.inception4b = Inception(512, 160, 112, 224, 24, 64, 64)
        self.inception4c = Inception(512, 128, 128, 256, 24, 64, 64)
        self.inception4d = Inception(512, 112, 144, 288, 32, 64, 64)
        self.inception4e = Inception(528, 256, 160, 320, 32, 128, 128)
        self.inception5a = Inception(832, 256, 160, 320, 32, 128, 128)
        self.inception5b = Inception(832, 384, 192, 384, 48, 128, 128)

        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.dropout = nn.Dropout(0.0)
        self.fc = nn.Linear(1024, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.pool(F.relu(self.conv1(x)))
        x = F.relu(self.conv2(x))
        x = self.pool(F.relu(self.conv3(x)))

        x = self.inception3a(x)
        x = self.inception3b(x)
        x = self.pool(x)

        x = self.inception4a(x)
        x = self.inception4b(x)
        x = self.inception4c(x)
        x = self.inception4d(x)
        x = self.inception4e(x)
        x = self.pool(x)

        x = self.inception5a(x)
        x = self.inception5b(x)

        x = torch.flatten(self.avgpool(x), 1)
        return self.fc(self.dropout(x))


batch_size = 10
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
