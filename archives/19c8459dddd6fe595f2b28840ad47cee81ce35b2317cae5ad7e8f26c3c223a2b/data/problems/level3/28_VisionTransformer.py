import torch
import torch.nn as nn


class Model(nn.Module):
    """
    Vision transformer that classifies an image from its class token.

    img: [batch_size, channels, image_size, image_size]; output: [batch_size, num_classes].

    The image is cut into windows of patch_size x patch_size, which are put in the order
    (channel, row, column) and regrouped, without a permutation, into tokens of channels
    consecutive windows each: a token is not one patch of all channels.
    The encoder takes the sequence first but gets the batch first, so attention runs across the
    images of the batch, separately at each token position. The head reads only position 0, which
    holds parameters alone, so the output depends neither on the image nor on the row.
    """

    def __init__(
        self,
        image_size: int,
        patch_size: int,
        num_classes: int,
        dim: int,
        depth: int,
        heads: int,
        mlp_dim: int,
        channels: int,
        dropout: float,
        emb_dropout: float,
    ):
        super().__init__()
        self.patch_size = patch_size
        self.token_width = channels * patch_size**2
        tokens = (image_size // patch_size) ** 2

        self.pos_embedding = nn.Parameter(torch.randn(1, tokens + 1, dim))
        self.patch_to_embedding = nn.Linear(self.token_width, dim)
        self.cls_token = nn.Parameter(torch.randn(1, 1, dim))
        self.dropout = nn.Dropout(emb_dropout)
        self.transformer = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(dim, heads, dim_feedforward=mlp_dim, dropout=dropout),
            num_layers=depth,
        )
        self.mlp_head = nn.Sequential(
            nn.Linear(dim, mlp_dim),
            nn.GELU(),
            nn.Dropout(dropout),
            nn.Linear(mlp_dim, num_classes),
        )

    def forward(self, img: torch.Tensor) -> torch.Tensor:
        batch = img.shape[0]
        size = self.patch_size
        windows = img.unfold(2, size, size).unfold(3, size, size)
        tokens = self.patch_to_embedding(windows.reshape(batch, -1, self.token_width))

        x = torch.cat((self.cls_token.expand(batch, -1, -1), tokens), dim=1)
        x += self.pos_embedding
        x = self.transformer(self.dropout(x))
        return self.mlp_head(x[:, 0])


batch_size = 2
image_size = 224
patch_size = 16
num_classes = 10
dim = 512
depth = 6
heads = 8
mlp_dim = 2048
channels = 3
dropout = 0.0
emb_dropout = 0.0


def get_inputs():
    return [torch.rand(batch_size, channels, image_size, image_size)]


def get_init_inputs():
    return [
        image_size,
        patch_size,
        num_classes,
        dim,
        depth,
        heads,
        mlp_dim,
        channels,
        dropout,
        emb_dropout,
    ]
