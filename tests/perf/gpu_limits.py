"""What a device could do at best, and what a vision-language model asks of it: bytes, operations, seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Limits:
    """What a device does at best.

    Attributes:
        bytes_s: of its memory, a second. flops_s: dense, in half precision, a second.
        source: "data sheet", or "measured" where the device is not known.
    """

    bytes_s: float
    flops_s: float
    source: str = "data sheet"


SHEETS = (
    ("B200", 8.0e12, 2250e12),
    ("H200", 4.8e12, 989e12),
    ("H100 NVL", 3.9e12, 835e12),
    ("H100 PCIe", 2.0e12, 756e12),
    ("H100", 3.35e12, 989e12),
    ("A100-SXM4-80GB", 2.039e12, 312e12),
    ("A100", 1.555e12, 312e12),
    ("L40S", 0.864e12, 362e12),
    ("L4", 0.3e12, 121e12),
)
"""Part of a device's name, its memory's bandwidth and its dense bfloat16 rate, from NVIDIA's data sheets; the first
name that fits counts."""


def from_sheet(name: str) -> Limits | None:
    """The limits of a device by the name it gives itself, or None."""
    for part, bytes_s, flops_s in SHEETS:
        if set(part.replace("-", " ").split()) <= set(name.replace("-", " ").split()):
            return Limits(bytes_s, flops_s)
    return None


def measured(torch: Any, device: str, dtype: Any, side: int) -> Limits:
    """The limits of an unknown device: a copy of `side` squared numbers and a product of two such matrices, best of
    three."""
    one = torch.ones(side, side, device=device, dtype=dtype)
    other = torch.empty_like(one)
    size = one.numel() * one.element_size()
    copied = best(lambda: other.copy_(one), torch, device)
    multiplied = best(lambda: torch.mm(one, one), torch, device)
    return Limits(2 * size / copied, 2 * side**3 / multiplied, "measured")


def best(work: Callable[[], object], torch: Any, device: str) -> float:
    """Seconds of the fastest of three, after one to warm up."""
    times = []
    for _ in range(4):
        began = time.perf_counter()
        work()
        if device.startswith("cuda"):
            torch.cuda.synchronize()
        times.append(time.perf_counter() - began)
    return min(times[1:])


@dataclass(frozen=True, slots=True)
class Load:
    """What a model asks of a device, from its shape. Attention is counted as if no work were done twice.

    Attributes:
        language, head, vision: numbers among the weights of the layers, of the head, of the vision tower.
        layers, width: of the language layers; `cache` is the numbers kept for a token, over all layers.
        vision_layers, vision_width: of the tower.
        bytes_each: of a number.
    """

    language: int
    head: int
    vision: int
    layers: int
    width: int
    cache: int
    vision_layers: int
    vision_width: int
    bytes_each: int

    def prefill_flops(self, patches: int, tokens: int) -> float:
        """Operations to read one question: `patches` of the picture, `tokens` with the merged patches among them.

        Two operations a weight and token; scores and sums of attention are 4·width·pairs a layer, of which a causal
        one needs half.
        """
        seen = 2 * self.vision * patches + 4 * self.vision_layers * self.vision_width * patches**2
        read = 2 * self.language * tokens + 2 * self.layers * self.width * tokens**2
        return float(seen + read + 2 * self.head)

    def step_bytes(self, batch: int, tokens: int) -> float:
        """Bytes to read for one more token of each row: the weights once, and what is kept of `tokens` a row."""
        return float(self.bytes_each * (self.language + self.head + batch * self.cache * tokens))

    def prefill_bytes(self) -> float:
        """Bytes to read for a batch of questions: every weight once."""
        return float(self.bytes_each * (self.language + self.head + self.vision))

    def step_flops(self, batch: int, tokens: int) -> float:
        """Operations for one more token of each row."""
        return float(batch * (2 * (self.language + self.head) + 4 * self.layers * self.width * tokens))


def load_of(model: Any) -> Load:
    """The load of a Qwen-VL model of transformers, counted from its own weights."""
    text, vision = model.config.text_config, model.config.vision_config
    counts = {"language": 0, "head": 0, "vision": 0}
    for name, weight in model.named_parameters():
        if "embed_tokens" not in name:
            part = "vision" if "visual" in name else "head" if "lm_head" in name else "language"
            counts[part] += weight.numel()
    head_width = getattr(text, "head_dim", None) or text.hidden_size // text.num_attention_heads
    return Load(
        **counts,
        layers=text.num_hidden_layers,
        width=head_width * text.num_attention_heads,
        cache=2 * text.num_hidden_layers * text.num_key_value_heads * head_width,
        vision_layers=vision.depth,
        vision_width=getattr(vision, "embed_dim", vision.hidden_size),
        bytes_each=next(model.parameters()).element_size(),
    )
