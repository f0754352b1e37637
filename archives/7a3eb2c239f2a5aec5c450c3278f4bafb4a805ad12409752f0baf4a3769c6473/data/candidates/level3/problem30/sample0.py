import math
from typing import Optional, Sequence, Type

import torch
import torch.nn as nn
import torch.nn.functional as F


def to_windows(x: torch.Tensor, size: int) -> torch.Tensor:
    """[batch, height, width, channels] -> [batch * windows, size * size, channels]."""
    batch, height, width, channels = x.shape
    x = x.view(batch, height // size, size, width // size, size, channels)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(-1, size * size, channels)


def from_windows(windows: torch.Tensor, size: int, height: int, width: int) -> torch.Tensor:
    """[batch * windows, size * size, channels] -> [batch, height, width, channels]."""
    channels = windows.shape[-1]
    x = windows.reshape(-1, height // size, width // size, size, size, channels)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(-1, height, width, channels)


def log_spaced_offsets(size: int, pretrained_size: int) -> torch.Tensor:
    """Signed log distance of every (row, column) offset in a window: [1, 2n-1, 2n-1, 2]."""
    steps = torch.arange(1 - size, size, dtype=torch.float32)
    offsets = torch.stack(torch.meshgrid(steps, steps, indexing="ij"), dim=-1).unsqueeze(0)
    span = pretrained_size if pretrained_size > 0 else size
    scaled = offsets / (span - 1) * 8
    return torch.sign(scaled) * torch.log2(torch.abs(scaled) + 1.0) / math.log2(8)


def offset_index(size: int) -> torch.Tensor:
    """Row of the offset table for each pair of tokens of a window: [n * n, n * n]."""
    position = torch.arange(size * size)
    row, column = position // size, position % size
    row_offset = row[:, None] - row[None, :] + size - 1
    column_offset = column[:, None] - column[None, :] + size - 1
    return row_offset * (2 * size - 1) + column_offset


def shift_mask(resolution: int, size: int, shift: int) -> torch.Tensor:
    """-100 where a rolled window pairs tokens that were not neighbours, otherwise 0."""
    band = torch.zeros(resolution, dtype=torch.int64)
    band[-size:] = 1
    band[-shift:] = 2
    region = 3 * band[:, None] + band[None, :]
    region = to_windows(region[None, :, :, None], size).squeeze(-1)
    differs = region[:, :, None] != region[:, None, :]
    return torch.zeros(differs.shape).masked_fill(differs, -100.0)


class Mlp(nn.Module):
    """Two linear layers with a GELU between them."""

    def __init__(self, dim: int, hidden: int, drop: float):
        super().__init__()
        self.fc1 = nn.Linear(dim, hidden)
        self.act = nn.GELU()
        self.fc2 = nn.Linear(hidden, dim)
        self.drop = nn.Dropout(drop)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.drop(self.act(self.fc1(x)))
        return self.drop(self.fc2(x))


class WindowAttention(nn.Module):
    """Cosine attention in a window, with a position bias computed by a small MLP."""

    def __init__(
        self,
        dim: int,
        window_size: int,
        num_heads: int,
        qkv_bias: bool,
        attn_drop: float,
        proj_drop: float,
        pretrained_window_size: int,
    ):
        super().__init__()
        self.num_heads = num_heads
        self.logit_scale = nn.Parameter(torch.full((num_heads, 1, 1), math.log(10)))
        self.q_bias = nn.Parameter(torch.zeros(dim)) if qkv_bias else None
        self.v_bias = nn.Parameter(torch.zeros(dim)) if qkv_bias else None
        self.register_buffer(
            "relative_coords_table", log_spaced_offsets(window_size, pretrained_window_size)
        )
        self.register_buffer("relative_position_index", offset_index(window_size))

        self.cpb_mlp = nn.Sequential(
            nn.Linear(2, 512), nn.ReLU(), nn.Linear(512, num_heads, bias=False)
        )
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.attn_drop = nn.Dropout(attn_drop)
        self.proj = nn.Linear(dim, dim)
        self.proj_drop = nn.Dropout(proj_drop)
        self.softmax = nn.Softmax(dim=-1)

    def position_bias(self) -> torch.Tensor:
        table = self.cpb_mlp(self.relative_coords_table).view(-1, self.num_heads)
        bias = table[self.relative_position_index].permute(2, 0, 1).contiguous()
        return (16 * torch.sigmoid(bias)).unsqueeze(0)

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor]) -> torch.Tensor:
        count, tokens, channels = x.shape
        bias = None
        if self.q_bias is not None:
            bias = torch.cat((self.q_bias, torch.zeros_like(self.v_bias), self.v_bias))
        qkv = F.linear(x, self.qkv.weight, bias)
        qkv = qkv.reshape(count, tokens, 3, self.num_heads, -1).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]

        logits = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)
        logits = logits * torch.clamp(self.logit_scale, max=math.log(100.0)).exp()
        logits = logits + self.position_bias()
        if mask is not None:
            logits = logits.view(-1, mask.shape[0], self.num_heads, tokens, tokens)
            logits = (logits + mask[None, :, None]).view(count, self.num_heads, tokens, tokens)

        weights = self.attn_drop(self.softmax(logits))
        x = (weights @ v).transpose(1, 2).reshape(count, tokens, channels)
        return self.proj_drop(self.proj(x))


class Block(nn.Module):
    """Window attention, then an MLP; each branch is normalised before it joins the residual."""

    def __init__(
        self,
        dim: int,
        resolution: int,
        num_heads: int,
        window_size: int,
        shift: int,
        mlp_ratio: float,
        qkv_bias: bool,
        drop: float,
        attn_drop: float,
        norm_layer: Type[nn.Module],
        pretrained_window_size: int,
    ):
        super().__init__()
        self.resolution = resolution
        self.window_size = min(window_size, resolution)
        self.shift = shift if resolution > window_size else 0

        self.norm1 = norm_layer(dim)
        self.attn = WindowAttention(
            dim, self.window_size, num_heads, qkv_bias, attn_drop, drop, pretrained_window_size
        )
        self.norm2 = norm_layer(dim)
        self.mlp = Mlp(dim, int(dim * mlp_ratio), drop)
        mask = shift_mask(resolution, self.window_size, self.shift) if self.shift > 0 else None
        self.register_buffer("attn_mask", mask)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, tokens, channels = x.shape
        side = self.resolution
        grid = x.view(batch, side, side, channels)
        if self.shift > 0:
            grid = torch.roll(grid, shifts=(-self.shift, -self.shift), dims=(1, 2))

        windows = self.attn(to_windows(grid, self.window_size), self.attn_mask)
        grid = from_windows(windows, self.window_size, side, side)
        if self.shift > 0:
            grid = torch.roll(grid, shifts=(self.shift, self.shift), dims=(1, 2))

        x = x + self.norm1(grid.view(batch, tokens, channels))
        return x + self.norm2(self.mlp(x))


class PatchMerging(nn.Module):
    """Joins 2x2 neighbours on channels, halves the width and normalises."""

    def __init__(self, dim: int, resolution: int, norm_layer: Type[nn.Module]):
        super().__init__()
        self.resolution = resolution
        self.reduction = nn.Linear(4 * dim, 2 * dim, bias=False)
        self.norm = norm_layer(2 * dim)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, _, channels = x.shape
        grid = x.view(batch, self.resolution, self.resolution, channels)
        corners = [grid[:, row::2, column::2, :] for column in (0, 1) for row in (0, 1)]
        x = torch.cat(corners, -1).view(batch, -1, 4 * channels)
        return self.norm(self.reduction(x))


class Stage(nn.Module):
    """Blocks of one resolution, every second one shifted, and the merging after them."""

    def __init__(
        self,
        dim: int,
        resolution: int,
        depth: int,
        num_heads: int,
        window_size: int,
        mlp_ratio: float,
        qkv_bias: bool,
        drop: float,
        attn_drop: float,
        norm_layer: Type[nn.Module],
        pretrained_window_size: int,
        merge: bool,
    ):
        super().__init__()
        self.blocks = nn.ModuleList(
            Block(
                dim,
                resolution,
                num_heads,
                window_size,
                shift=0 if index % 2 == 0 else window_size // 2,
                mlp_ratio=mlp_ratio,
                qkv_bias=qkv_bias,
                drop=drop,
                attn_drop=attn_drop,
                norm_layer=norm_layer,
                pretrained_window_size=pretrained_window_size,
            )
            for index in range(depth)
        )
        self.downsample = PatchMerging(dim, resolution, norm_layer) if merge else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            x = block(x)
        return x if self.downsample is None else self.downsample(x)


class PatchEmbed(nn.Module):
    """Non-overlapping patches as a sequence of embed_dim wide tokens."""

    def __init__(
        self, patch_size: int, in_chans: int, embed_dim: int, norm_layer: Optional[Type[nn.Module]]
    ):
        super().__init__()
        self.proj = nn.Conv2d(in_chans, embed_dim, kernel_size=patch_size, stride=patch_size)
        self.norm = nn.Identity() if norm_layer is None else norm_layer(embed_dim)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.proj(x).flatten(2).transpose(1, 2))


class Model(nn.Module):
    """
    Swin Transformer V2 image classifier (cosine window attention, normalised branches).

    x: [batch_size, in_chans, img_size, img_size]; output: [batch_size, num_classes].

    The constructor takes drop_path_rate and use_checkpoint but does not use them: no residual
    branch is ever dropped and nothing is recomputed.
    """

    def __init__(
        self,
        img_size: int = 224,
        patch_size: int = 4,
        in_chans: int = 3,
        num_classes: int = 1000,
        embed_dim: int = 96,
        depths: Sequence[int] = (2, 2, 6, 2),
        num_heads: Sequence[int] = (3, 6, 12, 24),
        window_size: int = 7,
        mlp_ratio: float = 4.0,
        qkv_bias: bool = True,
        drop_rate: float = 0.0,
        attn_drop_rate: float = 0.0,
        drop_path_rate: float = 0.1,
        norm_layer: Type[nn.Module] = nn.LayerNorm,
        patch_norm: bool = True,
        use_checkpoint: bool = False,
        pretrained_window_sizes: Sequence[int] = (0, 0, 0, 0),
    ):
        super().__init__()
        side = img_size // patch_size
        last = len(depths) - 1
        width = embed_dim * 2**last

        self.patch_embed = PatchEmbed(
            patch_size, in_chans, embed_dim, norm_layer if patch_norm else None
        )
        self.pos_drop = nn.Dropout(drop_rate)
        self.layers = nn.ModuleList(
            Stage(
                embed_dim * 2**index,
                side // 2**index,
                depth,
                num_heads[index],
                window_size,
                mlp_ratio,
                qkv_bias,
                drop_rate,
                attn_drop_rate,
                norm_layer,
                pretrained_window_sizes[index],
                merge=index < last,
            )
            for index, depth in enumerate(depths)
        )
        self.norm = norm_layer(width)
        self.avgpool = nn.AdaptiveAvgPool1d(1)
        self.head = nn.Linear(width, num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.pos_drop(self.patch_embed(x))
        for layer in self.layers:
            x = layer(x)
        x = self.avgpool(self.norm(x).transpose(1, 2))
        return self.head(torch.flatten(x, 1))


batch_size = 10
img_size = 224
in_chans = 3


def get_inputs():
    return [torch.rand(batch_size, in_chans, img_size, img_size)]


def get_init_inputs():
    return []


class ModelNew(Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The module and its state are the reference's own.
        self.forward = torch.compile(self.forward)
