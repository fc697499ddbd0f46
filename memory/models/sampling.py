"""What a request to a model says beside its messages."""

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
