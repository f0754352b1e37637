"""A vision transformer for two images as one CUDA graph.

Its hundred kernels are so short that eager code spends its time launching them.
"""
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, image_size, patch_size, num_classes, dim, depth, heads,
                 mlp_dim, channels, dropout, emb_dropout):
        super().__init__()
        self.patch_size = patch_size
        self.token_width = channels * patch_size**2
        tokens = (image_size // patch_size) ** 2
        self.pos_embedding = nn.Parameter(torch.randn(1, tokens + 1, dim))
        self.patch_to_embedding = nn.Linear(self.token_width, dim)
        self.cls_token = nn.Parameter(torch.randn(1, 1, dim))
        self.dropout = nn.Dropout(emb_dropout)
        self.transformer = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(dim, heads, dim_feedforward=mlp_dim,
                                       dropout=dropout),
            num_layers=depth)
        self.mlp_head = nn.Sequential(
            nn.Linear(dim, mlp_dim), nn.GELU(), nn.Dropout(dropout),
            nn.Linear(mlp_dim, num_classes))
        self.graph = None

    def classify(self, img):
        batch = img.shape[0]
        size = self.patch_size
        windows = img.unfold(2, size, size).unfold(3, size, size)
        tokens = self.patch_to_embedding(
            windows.reshape(batch, -1, self.token_width))
        x = torch.cat((self.cls_token.expand(batch, -1, -1), tokens), dim=1)
        x = self.transformer(self.dropout(x + self.pos_embedding))
        return self.mlp_head(x[:, 0])

    def capture(self, img):
        self.img = img.clone()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            self.classify(self.img)
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.y = self.classify(self.img)

    def forward(self, img):
        if self.graph is None:
            self.capture(img)
        self.img.copy_(img)
        self.graph.replay()
        return self.y.clone()
