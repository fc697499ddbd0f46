"""What a request to a model of a family says beside its messages, and how the family is served."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Sampling:
    """Parameters of a request.

    Attributes:
        extra_body: further keys of the request's JSON (`skip_special_tokens`, `chat_template_kwargs`, …).
    """

    temperature: float = 0.0
    max_tokens: int = 64
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    extra_body: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Serving:
    """How the family is served.

    Attributes:
        min_vllm: the oldest vLLM that serves it ("" where unknown).
        args: arguments of `vllm serve` of this family alone; limits of media and the pixel budget are added from
            the record.
        images: images a prompt.
    """

    min_vllm: str = ""
    args: tuple[str, ...] = ()
    note: str = ""
    images: int = 1
