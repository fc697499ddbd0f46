"""Sampling parameters of a model's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling parameters of a request.

    Attributes:
        extra_body: further keys of the request's JSON (`skip_special_tokens`, `chat_template_kwargs`, …).
    """

    temperature: float = 0.0
    max_tokens: int = 64
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    extra_body: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def parameters(self) -> dict[str, Any]:
        """The parameters that are set, by request parameter name."""
        named: dict[str, Any] = {"temperature": self.temperature, "max_tokens": self.max_tokens}
        if self.top_p is not None:
            named["top_p"] = self.top_p
        if self.stop:
            named["stop"] = list(self.stop)
        if self.extra_body:
            named["extra_body"] = dict(self.extra_body)
        return named
