"""Types of a display list."""

from __future__ import annotations

from typing import Any, TypeAlias

Rect: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom in whole pixels."""


Op: TypeAlias = tuple[Any, ...]
