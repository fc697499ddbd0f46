"""MMBench-GUI level 2, one point on a screen: the released parser and rule, counted per cell (§2.3, table 2).

The paper's average weighs every task alike; the released one is the plain mean of basic and advanced. They are equal on
the full data, which has 1,787 of each. Where a cell has no icon or no text the released summary divides by zero; here
that accuracy is None. `"fixed"` reads a box coordinate of -1 as 0 before it decides whether a box is in pixels; the
release decides first, so that one -1 makes it divide a normalised box by the image's size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.envs import ConfigError

Variant: TypeAlias = Literal["paper", "release", "fixed"]
Kind: TypeAlias = Literal["icon", "text"]
Mode: TypeAlias = Literal["basic", "advanced"]
Grade: TypeAlias = Literal["correct", "wrong", "wrong format", "void"]
Coordinates: TypeAlias = tuple[float, float]

_NUMBER = r"([-+]?(?:\d+\.\d+|\.\d+|\d+))"
_PAIR = re.compile(rf"{_NUMBER}[,;\s]+(?:y\s*[:=]?\s*)?{_NUMBER}", re.IGNORECASE)


def point_of(reply: str) -> Coordinates | None:
    """The first pair of numbers separated by a comma, space or semicolon, ignoring brackets and "x=", "y=".

    Whatever pair comes first counts: "1920 1080 (12,34)" gives (1920, 1080), and a box its first corner.
    """
    pair = _PAIR.search(reply)
    return (float(pair[1]), float(pair[2])) if pair else None


@dataclass(frozen=True, slots=True)
class Grounded:
    """A task and the reply to it.

    Attributes:
        box: x1, y1, x2, y2, in shares of the image or in pixels. width, height: of the image, in pixels.
        void: the infrastructure failed; it stays in the denominator and counts as wrong.
    """

    index: str
    platform: str
    mode: Mode
    kind: Kind
    box: tuple[float, float, float, float]
    width: int
    height: int
    reply: str
    void: bool = False


def box_of(task: Grounded, variant: Variant = "release") -> tuple[float, ...]:
    """The box in fractions of the image size.

    Raises:
        ConfigError: it leaves the image. The released code ends the whole run there.
    """
    corners = [0.0 if variant == "fixed" and value == -1 else value for value in task.box]
    if not all(0 <= value <= 1 for value in corners):
        sides = (task.width, task.height, task.width, task.height)
        corners = [(0.0 if value == -1 else value) / side for value, side in zip(corners, sides, strict=True)]
    if not all(0 <= value <= 1 for value in corners):
        raise ConfigError(
            f"task {task.index}: its box {task.box} extends beyond the image of {task.width}x{task.height}; "
            "correct the data"
        )
    return tuple(corners)


def judge(task: Grounded, variant: Variant = "release", parse: Callable[[str], Coordinates | None] = point_of) -> Grade:
    """Whether the point is in the box, edges included. If either coordinate is above 1, both are in pixels.

    Args:
        parse: reads the point from a reply, None where there is none. The released evaluator's built-in default cannot
            be called by it, so that without a parser everything is in wrong format; here the same parser works.

    Raises:
        ConfigError: the box leaves the image.
    """
    left, top, right, bottom = box_of(task, variant)
    if task.void:
        return "void"
    point = parse(task.reply)
    if point is None:
        return "wrong format"
    x, y = point
    if x > 1 or y > 1:
        x, y = x / task.width, y / task.height
    return "correct" if left <= x <= right and top <= y <= bottom else "wrong"


@dataclass(frozen=True, slots=True)
class Count:
    """Counts of outcomes; wrongly formatted and void ones stay in the denominator."""

    correct: int = 0
    wrong: int = 0
    wrong_format: int = 0
    void: int = 0

    @property
    def total(self) -> int:
        """The total count."""
        return self.correct + self.wrong + self.wrong_format + self.void

    @property
    def accuracy(self) -> float | None:
        """Share of correct ones, in 0..1 (the release prints it times 100); None if there are none."""
        return self.correct / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class CellReport:
    """Counts by mode, platform and kind, and the three figures of table 2's summary.

    Attributes:
        basic, advanced: correct over all of the mode, which is the mean over platforms weighted by tasks.
        average: of both; None where one is missing, except in the paper's variant, which pools.
    """

    variant: Variant
    cells: Mapping[tuple[Mode, str, Kind], Count]
    basic: float | None
    advanced: float | None
    average: float | None

    def platform(self, mode: Mode, platform: str) -> Count:
        """Icons and texts of one platform combined."""
        return _added(count for key, count in self.cells.items() if key[:2] == (mode, platform))


def report(
    tasks: Sequence[Grounded],
    variant: Variant = "release",
    parse: Callable[[str], Coordinates | None] = point_of,
) -> CellReport:
    """Count every cell that occurs.

    Raises:
        ConfigError: a box leaves its image.
    """
    verdicts: dict[tuple[Mode, str, Kind], list[Grade]] = {}
    for task in tasks:
        verdicts.setdefault((task.mode, task.platform, task.kind), []).append(judge(task, variant, parse))
    cells = {
        key: Count(*(found.count(verdict) for verdict in ("correct", "wrong", "wrong format", "void")))
        for key, found in sorted(verdicts.items())
    }
    basic = _added(count for key, count in cells.items() if key[0] == "basic").accuracy
    advanced = _added(count for key, count in cells.items() if key[0] == "advanced").accuracy
    if variant == "paper":
        average = _added(cells.values()).accuracy
    else:
        average = None if basic is None or advanced is None else (basic + advanced) / 2
    return CellReport(variant, cells, basic, advanced, average)


def _added(counts: Iterable[Count]) -> Count:
    rows = list(counts)
    return Count(
        sum(row.correct for row in rows),
        sum(row.wrong for row in rows),
        sum(row.wrong_format for row in rows),
        sum(row.void for row in rows),
    )
