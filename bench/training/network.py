"""The network of a small planner, for training: a decoder of the Llama form, written so that two cores suffice."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a network.

    Attributes:
        width: of the residual stream. inner: of the feed-forward layers. heads: of attention, `width / heads` wide.
    """

    vocabulary: int
    width: int = 192
    layers: int = 5
    heads: int = 6
    inner: int = 512
    theta: float = 10_000.0
    epsilon: float = 1e-5
    longest: int = 1024

    def to_dict(self) -> dict[str, Any]:
        """As a mapping of plain values."""
        return asdict(self)


class Norm(nn.Module):  # type: ignore[misc]
    """Root mean square normalisation (Zhang and Sennrich 2019)."""

    def __init__(self, width: int, epsilon: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        """Normalise the last dimension."""
        return functional.rms_norm(x, (x.shape[-1],), self.weight, self.epsilon)


class Block(nn.Module):  # type: ignore[misc]
    """One layer: attention with rotary positions (Su et al. 2021), and a gated feed-forward (Shazeer 2020)."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.input_layernorm = Norm(width, shape.epsilon)
        self.post_attention_layernorm = Norm(width, shape.epsilon)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.o_proj = nn.Linear(width, width, bias=False)
        self.gate_up = nn.Linear(width, 2 * shape.inner, bias=False)
        self.down_proj = nn.Linear(shape.inner, width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor) -> Tensor:
        """From (batch, time, width) to the same shape."""
        batch, time, width = x.shape
        q, k, v = self.qkv(self.input_layernorm(x)).view(batch, time, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        # Not `scaled_dot_product_attention`: on a CPU its backward pass takes longer than all the rest together.
        match = rotate(q, cos, sin) @ (rotate(k, cos, sin) * (width // self.heads) ** -0.5).transpose(-2, -1)
        attended = torch.softmax(match + mask, -1) @ v
        x = x + self.o_proj(attended.transpose(1, 2).reshape(batch, time, width))
        gate, up = self.gate_up(self.post_attention_layernorm(x)).chunk(2, -1)
        return x + self.down_proj(functional.silu(gate) * up)


class DecoderNetwork(nn.Module):  # type: ignore[misc]
    """A decoder whose output matrix is its embedding."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embed_tokens = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = Norm(shape.width, shape.epsilon)
        half = shape.width // shape.heads // 2
        frequency = shape.theta ** (-torch.arange(half, dtype=torch.float32) / half)
        angles = torch.outer(torch.arange(shape.longest, dtype=torch.float32), frequency)
        self.register_buffer("cos", torch.cat([angles.cos()] * 2, -1), persistent=False)
        self.register_buffer("sin", torch.cat([angles.sin()] * 2, -1), persistent=False)
        self._start()

    def _start(self) -> None:
        """First weights: each layer begins by adding nothing, so that what a token is reaches every layer."""
        for name, parameter in self.named_parameters():
            if name.endswith(("o_proj.weight", "down_proj.weight")):
                nn.init.zeros_(parameter)
            elif name == "embed_tokens.weight":
                nn.init.normal_(parameter, std=0.1)
            elif parameter.ndim > 1:
                nn.init.normal_(parameter, std=parameter.shape[1] ** -0.5)

    def hidden(self, tokens: Tensor) -> Tensor:
        """The last hidden states, (batch, time, width), of tokens (batch, time)."""
        x = self.embed_tokens(tokens)
        cos, sin = self.cos[: tokens.shape[1]], self.sin[: tokens.shape[1]]
        time = tokens.shape[1]
        mask = torch.full((time, time), float("-inf"), dtype=x.dtype, device=x.device).triu(1)
        for block in self.blocks:
            x = block(x, cos, sin, mask)
        return self.norm(x)

    def scores(self, hidden: Tensor) -> Tensor:
        """Logits of hidden states."""
        return hidden @ self.embed_tokens.weight.T


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Queries or keys, turned by their positions."""
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat([-second, first], -1) * sin
