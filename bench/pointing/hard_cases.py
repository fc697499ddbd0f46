"""The next batch of targets from what a grounder missed: cells in which it fails more often are drawn more often.

A cell is style, kind, platform, theme, and whether something else has the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from omnipilot.bench.pointing.evaluation import PointingAnswer, Shot, Style, Target
from omnipilot.bench.tasks.failure_cells import Cell, weigh_cells
from omnipilot.envs import Absent, Box, Element


def cell_of(shot: Shot, target: Target, style: Style) -> Cell:
    """The cell of an instruction."""
    return style, target.kind, shot.platform, shot.theme, "near-alike" if target.distractor else ""


def failure_weights(answers: Iterable[PointingAnswer]) -> dict[Cell, float]:
    """The weight of each cell by the share that failed in it, as `weigh_cells` has it."""
    return weigh_cells(
        ((one.style, one.kind, one.platform, one.theme, "near-alike" if one.distractor else ""), not one.hit)
        for one in answers
    )


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
