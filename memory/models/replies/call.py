"""One call as a model wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """A call as written: literals only. `line` is its line in a script, 0 elsewhere."""

    name: str
    args: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)
    line: int = 0
