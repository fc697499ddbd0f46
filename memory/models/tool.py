"""A function that a model can call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model can call; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(hash=False)
