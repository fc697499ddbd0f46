"""The truth about a pointing benchmark: gold and graded grounders answer by the target's own area."""

from __future__ import annotations

import threading
from random import Random

from omnipilot.bench.pointing.evaluation import Shot, Style, Target
from omnipilot.bench.pointing.place import Nowhere, Polygon
from omnipilot.envs import Absent, Box, ConfigError, Element, Elements, Heard, Point
from omnipilot.envs.types.actions import Described
from omnipilot.memory import Move, NeededFact
from omnipilot.memory.truth import Draws

GRID = 32
"""Points a side that are tried to find one inside a polygon."""


class PointingTruth:
    """Follows the questions of one evaluation, in each of its threads; implements `omnipilot.memory.truth.Truth`.

    What a target means is not read from its words: it is the target's own area. Random numbers depend on the suite,
    the target and its style, and so on no other question.

    Args:
        suite: its name.
    """

    def __init__(self, suite: str) -> None:
        self._suite = suite
        self._now = threading.local()

    def ask(self, shot: Shot, target: Target, style: Style) -> None:
        """The next question in this thread is for this target."""
        self._now.shot, self._now.target = shot, target
        self._now.draws = Draws(f"{self._suite}/{target.id}/{style}")

    def elements(self, env: str) -> Elements | Absent:  # noqa: ARG002
        """The elements that the suite knows of the screen."""
        shot: Shot = self._now.shot
        return shot.observation.elements

    def meaning(self, env: str, target: Described) -> Element | Absent | str:  # noqa: ARG002
        """The target's own area, as an element."""
        asked: Target = self._now.target
        if isinstance(asked.box, Nowhere):
            return "it is not on the screen"
        return Element(asked.role or "unknown", asked.name, box_within(asked.box))

    def lies_on(self, env: str, element: Element, point: Point) -> bool:  # noqa: ARG002
        """Whether a point is in the target's area."""
        asked: Target = self._now.target
        return asked.box.contains(point)

    def transcript(self, env: str, start: float, end: float) -> tuple[Heard, ...] | Absent:  # noqa: ARG002
        """There is no sound."""
        return Absent("unsupported", "a screenshot is silent")

    def texts(self, env: str) -> Elements | Absent:  # noqa: ARG002
        """Nothing knows what is written on a screenshot."""
        return Absent("unsupported", "nothing knows what is written on a screenshot")

    def demonstration(self, anew: bool = False) -> tuple[Move, ...]:  # noqa: ARG002
        """There is none."""
        raise ConfigError("pointing benchmarks have no solutions to play")

    def open_goals(self) -> tuple[str, ...]:
        """There are none: nothing is to be done."""
        return ()

    def facts(self) -> tuple[NeededFact, ...]:
        """There are none."""
        raise ConfigError("pointing benchmarks have no past that could be remembered")

    def draw(self, part: str, question: str) -> Random:
        """Random numbers for a part's answer to a question."""
        draws: Draws = self._now.draws
        return draws.draw(part, question)


def box_within(place: Box | Polygon) -> Box:
    """A box whose centre is in an area: the area itself, or a box around an inner point of a polygon, as wide and high
    as the polygon if the screen has room for it."""
    if isinstance(place, Box):
        return place
    left, right = (extreme(corner.x for corner in place.corners) for extreme in (min, max))
    top, bottom = (extreme(corner.y for corner in place.corners) for extreme in (min, max))
    middle = Point((left + right) / 2, (top + bottom) / 2)
    steps = [(number + 0.5) / GRID for number in range(GRID)]
    inner = [Point(left + (right - left) * x, top + (bottom - top) * y) for x in steps for y in steps]
    inside = [point for point in (middle, *inner) if place.contains(point)] or [place.corners[0]]
    at = min(inside, key=lambda point: (point.x - middle.x) ** 2 + (point.y - middle.y) ** 2)
    across = min((right - left) / 2, at.x, 1 - at.x)
    down = min((bottom - top) / 2, at.y, 1 - at.y)
    return Box(at.x - across, at.y - down, at.x + across, at.y + down)
