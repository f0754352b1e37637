import torch
import torch.nn as nn

# Channels of each convolution of a group; a max pooling ends every group.
groups = [[64, 64], [128, 128], [256, 256, 256], [512, 512, 512], [512, 512, 512]]
hidden_size = 4096
map_side = 7


class Model(nn.Module):
    """
    VGG-16 without normalisation: five groups of 3 x 3 convolutions with ReLU, then three linear
    layers.

    x: [batch_size, 3, height, width]; output: [batch_size, num_classes].

    The convolutions leave maps of map_side x map_side. Dropout is there with probability 0.
    """

    def __init__(self, num_classes: int):
        super().__init__()
        layers = []
        channels = 3
        for group in groups:
            for out_channels in group:
                layers.append(nn.Conv2d(channels, out_channels, 3, padding=1))
                layers.append(nn.ReLU(inplace=True))
                channels = out_channels
            layers.append(nn.MaxPool2d(2))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(
            nn.Linear(channels * map_side * map_side, hidden_size),
            nn.ReLU(),
            nn.Dropout(0.0),
            nn.Linear(hidden_size, hidden_size),
            nn.ReLU(),
            nn.Dropout(0.0),
            nn.Linear(hidden_size, num_classes),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.classifier(torch.flatten(self.features(x), 1))


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
