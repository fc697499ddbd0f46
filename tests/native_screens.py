"""The screen and the task that native planners are tested with."""

from __future__ import annotations

from omnipilot.envs.geometry import Size
from omnipilot.envs.media import Image
from omnipilot.planners.base import Brief, Verbs

SIZE = Size(200, 100)


KINDS = frozenset({"click", "scroll", "type"})


TASK = Brief("Turn {width} on", {"pc": Verbs("desktop", KINDS)}, seed=7)


def shot(turn: int) -> Image:
    return Image.raw(SIZE, bytes([turn]) * (SIZE.pixels * 3), "pc", float(turn))
