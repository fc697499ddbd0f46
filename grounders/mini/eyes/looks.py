"""Several looks at a screen that is smaller than those that the eyes learnt from.

Where elements are was learnt on screens of few sizes. Less fits on a screen on which things are drawn larger: brought
to the size of its letters, it is smaller than those, and what stood near the right or the lower edge stands elsewhere.
So it is looked at by itself, and laid into each corner of a screen of the size that was learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs.types import Size
from omnipilot.grounders.mini.eyes.kinds import group_of
from omnipilot.grounders.mini.eyes.network import EyesNetwork, SeenElement

SHARED = 0.5
"""Overlap (IoU) from which on two looks saw one element."""


def find_in_looks(network: EyesNetwork, pixels: NDArray[np.uint8], learnt: Size) -> list[SeenElement]:
    """The elements of a screen, of several looks; of one that several saw, what the surest saw.

    Args:
        pixels: (height, width, 3), uint8. learnt: size of a screen of that kind that the eyes learnt from, in pixels.
    """
    height, width, _ = pixels.shape
    across, down = max(0, learnt.width - width), max(0, learnt.height - height)
    looks = [network.find(pixels)]
    for left in sorted({0, across}):
        for above in sorted({0, down}):
            if across or down:
                beyond = ((above, down - above), (left, across - left), (0, 0))
                found = network.find(np.pad(pixels, beyond, mode="edge"))
                looks.append([one for one in (_moved(one, -left, -above, width, height) for one in found) if one])
    return _surest(network.form.kinds, looks)


def _moved(one: SeenElement, across: int, down: int, width: int, height: int) -> SeenElement | None:
    """An element moved by so many pixels, as much of it as lies on the screen; None where nothing does."""
    left, top, right, bottom = one.box
    left, right = max(0.0, left + across), min(float(width), right + across)
    top, bottom = max(0.0, top + down), min(float(height), bottom + down)
    return replace(one, box=(left, top, right, bottom)) if right - left >= 1 and bottom - top >= 1 else None


def _surest(kinds: Sequence[str], looks: Sequence[Sequence[SeenElement]]) -> list[SeenElement]:
    """Without what another look saw more surely. Two elements that one look saw at one place are two."""
    seen = [(number, one) for number, look in enumerate(looks) for one in look]
    kept: list[tuple[int, SeenElement]] = []
    for number, one in sorted(seen, key=lambda each: -each[1].sure):
        group = group_of(kinds[one.kind])
        if not any(
            number != look and group == group_of(kinds[other.kind]) and _overlap(one.box, other.box) >= SHARED
            for look, other in kept
        ):
            kept.append((number, one))
    return [one for _, one in kept]


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> float:
    """Intersection over union of two boxes."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    if across <= 0 or down <= 0:
        return 0.0
    whole = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return across * down / (whole - across * down)
