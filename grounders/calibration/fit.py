"""Analysis of a probe's answers: scale and offset per axis, and the coordinate space of the answers.

Pure functions of the target points and the answered points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from omnipilot.envs import Point, Size
from omnipilot.envs.types import Frame, OutOfRange
from omnipilot.envs.types.frames import Order, Space
from omnipilot.grounders.families.family import Family

TOLERANCE = 0.03
"""Maximum deviation of a scale from 1 and of an offset from 0."""
LOOSE = 0.05
"""Maximum mean distance of answers from their line, as a share of the side, to count as a line."""
NEAR = 0.02
"""Maximum distance of an answer from a space's prediction, as a share of the side."""
SPACES: tuple[Space, ...] = ("norm1", "norm1000", "norm999", "abs_resized")
ORDERS: tuple[Order, ...] = ("xy", "yx")


@dataclass(frozen=True, slots=True)
class ProbePair:
    """One question: where the target is, and where the grounder pointed (None if it abstained).

    Attributes:
        outside: whether it abstained because the answer was out of range.
    """

    asked: Point
    answered: Point | None
    outside: bool = False


@dataclass(frozen=True, slots=True)
class AxisLine:
    """answered = scale * asked + offset on one axis, in shares of the side; `spread`: mean distance of the answers."""

    scale: float
    offset: float
    spread: float


@dataclass(frozen=True, slots=True)
class Fit:
    """The lines of both axes, fitted without the single outlier, if there is one.

    Attributes:
        missed: index of the outlier.
    """

    x: AxisLine
    y: AxisLine
    missed: int | None = None

    @property
    def straight(self) -> bool:
        """Whether the answers lie on a line, whatever its scale and offset."""
        return max(self.x.spread, self.y.spread) <= LOOSE

    @property
    def right(self) -> bool:
        """Whether that line leads to the targets."""
        lines = (self.x, self.y)
        return self.straight and all(abs(a.scale - 1) <= TOLERANCE and abs(a.offset) <= TOLERANCE for a in lines)


def fit(pairs: Sequence[ProbePair]) -> Fit | None:
    """Least squares of each axis over the answered pairs.

    With four or more answers, a single outlier from the line of all others is left out and named.

    Returns:
        None if the answered targets do not have two different positions on an axis.
    """
    found = _fit(pairs)
    answered = [number for number, pair in enumerate(pairs) if pair.answered]
    if found is None or found.straight or len(answered) < 4:
        return found
    rest = {number: _fit([pair for place, pair in enumerate(pairs) if place != number]) for number in answered}
    best = min((n for n in answered if rest[n]), key=lambda n: _spread(rest[n]), default=None)
    without = None if best is None else rest[best]
    return Fit(without.x, without.y, best) if without and without.straight else found


def _fit(pairs: Sequence[ProbePair]) -> Fit | None:
    both = [(pair.asked, pair.answered) for pair in pairs if pair.answered]
    across = _line([(asked.x, answered.x) for asked, answered in both])
    down = _line([(asked.y, answered.y) for asked, answered in both])
    return Fit(across, down) if across and down else None


def _spread(found: Fit | None) -> float:
    return math.inf if found is None else max(found.x.spread, found.y.spread)


def _line(values: Sequence[tuple[float, float]]) -> AxisLine | None:
    if len({asked for asked, _ in values}) < 2:
        return None
    mean_asked = math.fsum(asked for asked, _ in values) / len(values)
    mean_answered = math.fsum(answered for _, answered in values) / len(values)
    squares = math.fsum((asked - mean_asked) ** 2 for asked, _ in values)
    scale = math.fsum((asked - mean_asked) * (answered - mean_answered) for asked, answered in values) / squares
    offset = mean_answered - scale * mean_asked
    rest = math.fsum((answered - scale * asked - offset) ** 2 for asked, answered in values)
    return AxisLine(scale, offset, math.sqrt(rest / len(values)))


@dataclass(frozen=True, slots=True)
class CoordinateReading:
    """A hypothesis about a model's numbers: coordinate space, axis order, and the image whose pixels they count."""

    space: Space
    order: Order = "xy"
    picture: str = "sent"

    def __str__(self) -> str:
        name = "pixels of the screenshot as it was before resizing" if self.picture == "screenshot" else self.space
        return name + (", y first" if self.order == "yx" else "")


def readings(family: Family) -> list[CoordinateReading]:
    """The family's own reading first, then all others, likelier ones first."""
    own = CoordinateReading(family.space, family.order)
    orders = sorted(ORDERS, key=lambda order: order != family.order)
    every = [CoordinateReading(space, order) for order in orders for space in SPACES]
    every += [CoordinateReading("abs_resized", order, "screenshot") for order in orders]
    return [own, *(reading for reading in every if reading != own)]


def predict_answer(reading: CoordinateReading, family: Family, screenshot: Size, asked: Point) -> ProbePair:
    """The result if a model points exactly at `asked` but writes its numbers as in `reading`."""
    sent = family.sent_size(screenshot)
    seen = screenshot if reading.picture == "screenshot" else sent
    written = Frame(screenshot, seen, reading.space, reading.order).from_point(asked)
    if reading.space != "norm1":
        written = (round(written[0]), round(written[1]))
    try:
        return ProbePair(asked, Frame(screenshot, sent, family.space, family.order).to_point(*written))
    except OutOfRange:
        return ProbePair(asked, None, outside=True)


def fitting_readings(family: Family, seen: Sequence[tuple[Size, Sequence[ProbePair]]]) -> list[CoordinateReading]:
    """The readings that predict the answers on every canvas, the family's own first if it is among them.

    One answer may differ, because a model may miss; abstentions for other reasons are ignored.
    """
    found = []
    for reading in readings(family):
        pairs = [(predict_answer(reading, family, size, pair.asked), pair) for size, pairs in seen for pair in pairs]
        told = [(wanted, got) for wanted, got in pairs if got.answered or got.outside]
        if len(told) >= 3 and sum(not _alike(wanted, got) for wanted, got in told) <= len(told) // 10:
            found.append(reading)
    return found


def _alike(wanted: ProbePair, got: ProbePair) -> bool:
    if wanted.answered is None or got.answered is None:
        return wanted.answered is got.answered
    return max(abs(wanted.answered.x - got.answered.x), abs(wanted.answered.y - got.answered.y)) <= NEAR


def diagnose(family: Family, seen: Sequence[tuple[Size, Sequence[ProbePair]]]) -> tuple[bool, str]:
    """Explain the answers: whether any reading explains them, and a description.

    Args:
        family: the family whose rules parsed the answers.
        seen: size and answers of each canvas.
    """
    likely = fitting_readings(family, seen)
    own = CoordinateReading(family.space, family.order)
    if own in likely:
        return False, "the answers it does give are right"
    if likely:
        return True, f"answers look like {_or(likely)}, read as {own}"
    fits = [(size, found) for size, pairs in seen if (found := fit(pairs)) is not None and _scaled(found)]
    if family.space == "abs_resized" and fits:
        return True, "answers look like pixels of another picture than the one sent: " + _pictures(family, fits)
    return False, "no coordinate space that is known here explains the answers"


def _scaled(found: Fit) -> bool:
    """Whether answers are scaled from the corner, like pixels of an image of another size."""
    lines = (found.x, found.y)
    return found.straight and all(line.scale > 0.1 and abs(line.offset) <= TOLERANCE for line in lines)


def _or(likely: Sequence[CoordinateReading]) -> str:
    """Name readings with equal predictions once: thousandths of 999, pixels if nothing was resized, and the other
    axis order if every answer was out of range."""
    told: list[CoordinateReading] = []
    for reading in likely:
        twins = [other for other in told if (other.space, other.picture) == (reading.space, reading.picture)]
        twins += [other for other in told if {other.space, reading.space} == {"norm999", "norm1000"}]
        twins += [other for other in told if other.space == reading.space == "abs_resized"]
        if not twins:
            told.append(reading)
    return " or ".join(map(str, told))


def _pictures(family: Family, fits: Sequence[tuple[Size, Fit]]) -> str:
    told, smallest = [], math.inf
    for size, found in fits:
        sent = family.sent_size(size)
        width, height = round(sent.width * found.x.scale), round(sent.height * found.y.scale)
        told.append(f"{width}x{height} instead of {sent}")
        if width > 0 and height > 0 and width * height < 0.94 * sent.pixels:
            smallest = min(smallest, width * height)
    cure = ""
    if math.isfinite(smallest):
        cure = f"; the server shrinks it to about {smallest:,.0f} pixels: serve it with the family's own budget, or "
        cure += "let `omnipilot serve` do it"
    return ", ".join(told) + cure
