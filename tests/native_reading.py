"""How the tests of native families read a reply: on screens whose numbers are easy to follow."""

from __future__ import annotations

from typing import Any

import pytest

from omnipilot.envs.actions import Intent
from omnipilot.envs.geometry import Point, Size
from omnipilot.memory.transcript import MalformedReply
from omnipilot.planners.native_families import get

SCREEN = Size(2000, 1000)
SENT = Size(1000, 500)
"""A model in pixels saw half the screen's sides."""
CURSOR = Point(0.9, 0.9)


def intents(family: str, said: Any, cursor: Point | None = CURSOR) -> list[Intent]:
    return get(family).parse(said, SENT, SCREEN, cursor)[0]


def thought(family: str, said: Any) -> str:
    return get(family).parse(said, SENT, SCREEN)[1]


def problem(family: str, said: Any) -> str:
    with pytest.raises(MalformedReply) as caught:
        get(family).parse(said, SENT, SCREEN, CURSOR)
    return str(caught.value)


def at(x: float, y: float) -> Point:
    """A place in thousandths."""
    return Point(x / 1000, y / 1000)
