"""Graded grounders: right with a set probability, and otherwise wrong in a fixed way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from omnipilot.envs import Absent, Element, Modality, Observation, Point, Size
from omnipilot.envs.types import INTERACTIVE, likeness
from omnipilot.envs.types.actions import Described, Ref
from omnipilot.grounders.base import Abstention, Grounder, Grounding
from omnipilot.grounders.gold import abstention
from omnipilot.memory import TakesTruth
from omnipilot.memory.truth import check_grade

ERRORS = ("neighbour", "same-name", "offset")
"""The ways to be wrong. Where one has no answer, the first of the others, in this order, that has one is taken."""
NEAR, FAR = 0.5, 3.0
"""How far from an element's centre an offset lies, in box sizes: the larger of its two parts."""
_TRIES = 200
VERSION = "1"
"""Of the error model. Equal versions give equal points; part of a run's identity."""


class GradedGrounder(TakesTruth, Grounder):
    """Like `gold` with a set probability, otherwise wrong: at a neighbour, at a same name, or beside the place.

    Each question is answered anew: who asks again may get another answer. Whether an answer is right depends on the
    episode, the question, and how often it was asked, by random numbers that are the same for every accuracy: what is
    right at 0.5 is right at 0.9 too. Where the gold grounder abstains, so does this one.

    A wrong answer is the centre of the nearest other element that can be operated (`neighbour`; of any other element if
    there is none), the centre of another element with the same name or the one most like it, the nearest of several
    (`same-name`), or a point 0.5 to 3 box sizes from the centre, in the larger of its two parts (`offset`). It never
    lies in the box of what was asked for. Where a way has no such point, the first of the others that has one is
    taken; where none has one, the grounder abstains.

    Args:
        accuracy: the probability of a right answer, 0..1.
        errors: the ways to be wrong, from `neighbour`, `same-name` and `offset`; all are equally likely.

    Raises:
        ConfigError: an impossible accuracy, or an unknown error.
    """

    main_option = "accuracy"
    part = "grounder 'graded'"
    needs: frozenset[Modality] = frozenset()
    reads: frozenset[Modality] = frozenset()

    def __init__(self, accuracy: float, errors: str | Sequence[str] = ERRORS) -> None:
        self.errors = check_grade(self.part, accuracy, errors, ERRORS)
        self.accuracy = accuracy

    def identity(self) -> dict[str, str]:
        """The version of the error model, which can change a run's numbers."""
        return {"errors": VERSION}

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """The centre of what was asked for, or a place beside it."""
        env, words = observation.env, f"#{target.id}" if isinstance(target, Ref) else target
        draw = self._truth.draw("grounder graded", f"{env}/{words}")
        asked = self._truth.meaning(env, target)
        if not isinstance(asked, Element):
            return abstention(asked)
        # Drawn in any case, so that errors are the same whatever the accuracy.
        luck, error = draw.random(), draw.random()
        if luck < self.accuracy:
            return Grounding(asked.box.center, asked.box)
        chosen = self.errors[int(error * len(self.errors))]
        elements = self._truth.elements(env)
        others = () if isinstance(elements, Absent) else elements.items
        for kind in (chosen, *(kind for kind in ERRORS if kind != chosen)):
            for wrong in self._wrong(kind, asked, others, observation.size, draw):
                if not (asked.box.contains(wrong.point) or self._truth.lies_on(env, asked, wrong.point)):
                    return wrong
        return Abstention("not_found", f"{words!r} is all there is")

    @staticmethod
    def _wrong(kind: str, asked: Element, elements: Iterable[Element], size: Size, draw: Random) -> Iterator[Grounding]:
        """Wrong answers of a kind, the best first."""
        if kind == "offset":
            yield from map(Grounding, _offsets(asked, draw))
            return
        others = [one for one in elements if one != asked and "offscreen" not in one.states]
        if kind == "same-name":
            others = [one for one in others if likeness(asked.name, one.name) > 0]
            others.sort(key=lambda one: (-likeness(asked.name, one.name), _distance(asked, one, size)))
        else:
            others.sort(key=lambda one: (one.role not in INTERACTIVE, _distance(asked, one, size)))
        for one in others:
            yield Grounding(one.box.center, one.box)


def _offsets(asked: Element, draw: Random) -> Iterator[Point]:
    """Points on the screen at a distance from an element's centre, in any direction."""
    box, centre = asked.box, asked.box.center
    for _ in range(_TRIES):
        far, beside = draw.uniform(NEAR, FAR), draw.uniform(-1, 1)
        across, down = draw.choice(
            ((far, far * beside), (-far, far * beside), (far * beside, far), (far * beside, -far))
        )
        x, y = centre.x + across * (box.right - box.left), centre.y + down * (box.bottom - box.top)
        if 0 <= x <= 1 and 0 <= y <= 1:
            yield Point(x, y)


def _distance(one: Element, other: Element, size: Size) -> float:
    """Between the centres of two elements, in pixels."""
    a, b = one.box.center, other.box.center
    return math.hypot((a.x - b.x) * size.width, (a.y - b.y) * size.height)
