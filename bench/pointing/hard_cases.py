"""The next batch of targets from what a grounder missed: cells in which it fails more often are drawn more often.

A cell is style, kind, platform, theme, and whether something else has the same text.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar

from omnipilot.bench.pointing.evaluation import PointingAnswer, Shot, Style, Target
from omnipilot.envs import Absent, Box, Element

Cell: TypeAlias = tuple[str, ...]
T = TypeVar("T")


def cell_of(shot: Shot, target: Target, style: Style) -> Cell:
    """The cell of an instruction."""
    return style, target.kind, shot.platform, shot.theme, "near-alike" if target.distractor else ""


def failure_weights(answers: Iterable[PointingAnswer]) -> dict[Cell, float]:
    """The share that failed in each cell, (failures + 1) / (answers + 2): no cell is 0, and few answers say little."""
    counts: dict[Cell, list[int]] = defaultdict(lambda: [0, 0])
    for one in answers:
        cell = one.style, one.kind, one.platform, one.theme, "near-alike" if one.distractor else ""
        counts[cell][0] += not one.hit
        counts[cell][1] += 1
    return {cell: (failures + 1) / (count + 2) for cell, (failures, count) in counts.items()}


def draw_weighted(items: Mapping[str, T], weights: Mapping[str, float], count: int, seed: int = 0) -> list[T]:
    """So many items without repetition, each drawn with a chance in proportion to its weight; all if there are fewer.

    The same for the same seed, on every machine; a smaller draw is part of a larger one (Efraimidis and Spirakis
    2006).
    """

    def key(name: str) -> float:
        digest = hashlib.sha256(f"{seed}/{name}".encode()).digest()
        share = (int.from_bytes(digest[:8], "big") + 1) / (2**64 + 1)
        return math.log(share) / weights[name]

    drawn = sorted((name for name in items if weights[name] > 0), key=lambda name: (-key(name), name))
    return [items[name] for name in drawn[:count]]


def hard_negatives(
    shots: Iterable[Shot], answers: Sequence[PointingAnswer]
) -> Iterator[tuple[Shot, PointingAnswer, Element]]:
    """The misses that hit another element of the screen: the screen, the answer, and the smallest element there."""
    missed = {one.key: one for one in answers if not one.hit and one.point is not None}
    for shot in shots:
        elements = shot.observation.elements
        for target in shot.targets:
            for style in ("basic", "advanced"):
                answer = missed.get((target.id, style))
                if answer is None or answer.point is None or isinstance(elements, Absent):
                    continue
                below = [one for one in elements.items if one.box.contains(answer.point) and one.box != target.box]
                if below:
                    yield shot, answer, min(below, key=lambda one: one.box.area)


def corners(box: Box, shot: Shot) -> list[int]:
    """A box in whole pixels of its screen."""
    return [round(edge) for edge in box.to_pixels(shot.observation.size)]
