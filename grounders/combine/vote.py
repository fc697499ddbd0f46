"""The grounder `vote`: asks several times and takes the median of the answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from omnipilot.envs import Box, ConfigError, Modality, Observation, Point, Size
from omnipilot.envs.types.actions import Described
from omnipilot.grounders.base import Abstention, Grounder, Grounding, identities, reads
from omnipilot.memory import Usage
from omnipilot.memory.messages import Part
from omnipilot.memory.warm_up import warm_up

_ROUNDS = 1000
_EXACT = 1e-9
"""Convergence threshold: step of one iteration, as a share of the points' spread."""


class VoteGrounder(Grounder):
    """Asks a grounder several times and points at the geometric median of the answers, in pixels.

    The answers differ only if the grounder samples, so give its model a temperature. If more than half of the answers
    are abstentions, it abstains with the most frequent reason.

    Its confidence is the share of answers that give a point, times their closeness to the median: 1 if all agree, 0 if
    their mean distance from it is `reach` times the screen's diagonal.

    Args:
        of: the grounder to ask. samples: number of calls. reach: see above, more than 0.

    Raises:
        ConfigError: an option is out of range.
    """

    combines: ClassVar[str] = "one"
    main_option: ClassVar[str] = "of"

    def __init__(self, of: Grounder, samples: int = 5, reach: float = 0.1) -> None:
        if samples < 1 or not reach > 0:
            raise ConfigError(f"grounder 'vote': samples and reach must be above 0, not {samples} and {reach:g}")
        self.of = of
        self.samples = samples
        self.reach = reach

    def warm_up(self) -> None:
        """Warm up the inner grounder."""
        warm_up(self.of)

    def identity(self) -> dict[str, str]:
        """What of its grounder can change a run's numbers besides its options."""
        return identities((self.of,))

    @property
    def needs(self) -> frozenset[Modality]:
        """Modalities the inner grounder needs."""
        return frozenset(self.of.needs)

    @property
    def reads(self) -> frozenset[Modality]:
        """Modalities the inner grounder uses."""
        return reads(self.of)

    @property
    def annotates(self) -> bool:
        """Whether the inner grounder numbers marks."""
        return self.of.annotates

    def annotate(self, observation: Observation) -> tuple[Part, ...]:
        """The inner grounder's annotation."""
        return self.of.annotate(observation)

    def candidates(self, env: str) -> Sequence[Box] | None:
        """Those of the inner grounder."""
        return self.of.candidates(env)

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Ask `samples` times; the usage covers all answers."""
        answers = [self.of.ground(observation, target) for _ in range(self.samples)]
        usage = sum((answer.usage for answer in answers), Usage())
        found = [answer for answer in answers if isinstance(answer, Grounding)]
        silent = [answer for answer in answers if isinstance(answer, Abstention)]
        if 2 * len(silent) > self.samples:
            reasons = Counter(answer.reason for answer in silent)
            reason = reasons.most_common(1)[0][0]
            detail = next(answer.detail for answer in silent if answer.reason == reason)
            return Abstention(reason, f"{len(silent)} of {self.samples} answers are abstentions; {detail}", usage)
        size = observation.size
        places = [answer.point.to_pixels(size) for answer in found]
        x, y = geometric_median(places)
        nearest = min(found, key=lambda answer: math.dist(answer.point.to_pixels(size), (x, y)))
        point = Point(min(max(x / size.width, 0.0), 1.0), min(max(y / size.height, 0.0), 1.0))
        box = nearest.box if nearest.box is not None and nearest.box.contains(point) else None
        return Grounding(point, box, self._confidence(places, (x, y), size), usage)

    def _confidence(self, places: Sequence[tuple[float, float]], middle: tuple[float, float], size: Size) -> float:
        away = sum(math.dist(place, middle) for place in places) / len(places)
        near = max(0.0, 1 - away / (self.reach * math.hypot(size.width, size.height)))
        return near * len(places) / self.samples


def geometric_median(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The point that minimizes the sum of distances to the given points (at least one).

    Weiszfeld's iteration with the step of Vardi and Zhang (2000, "The multivariate L1-median and associated data
    depth", equation 2.6), which does not get stuck on one of the points.
    """
    x = sum(point[0] for point in points) / len(points)
    y = sum(point[1] for point in points) / len(points)
    spread = max(math.dist(point, (x, y)) for point in points)
    for _ in range(_ROUNDS):
        away = [(math.dist(point, (x, y)), point) for point in points]
        others = [(distance, point) for distance, point in away if distance > _EXACT * spread]
        here = len(points) - len(others)
        if not others:
            return x, y
        weight = sum(1 / distance for distance, _ in others)
        to_x = sum(point[0] / distance for distance, point in others) / weight
        to_y = sum(point[1] / distance for distance, point in others) / weight
        pull = math.hypot(to_x - x, to_y - y) * weight
        stay = min(1.0, here / pull) if pull > 0 else 1.0
        moved = (1 - stay) * (to_x - x), (1 - stay) * (to_y - y)
        x, y = x + moved[0], y + moved[1]
        if math.hypot(*moved) <= _EXACT * spread:
            break
    # Towards a point that is the median by a narrow margin, the steps become too small to arrive.
    return min(((x, y), *points), key=lambda place: sum(math.dist(point, place) for point in points))
