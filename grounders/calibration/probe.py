"""The probe: does a grounder point where it means to? Five known targets on two canvases tell.

It catches a server or provider that resizes pictures on its own, a model read in another coordinate space than its
own, axes in the wrong order: everything that moves clicks without any error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from omnipilot.envs import ConfigError, Modality, Observation, Point, Size
from omnipilot.grounders.base import Abstention, Grounder, Grounding
from omnipilot.grounders.calibration.fit import Fit, Pair, diagnose, fit
from omnipilot.grounders.calibration.targets import SIZES, TARGETS, Target, canvas
from omnipilot.grounders.families.family import Family
from omnipilot.memory import Usage

Verdict: TypeAlias = Literal["ok", "mismatch", "unfit", "silent"]
"""`mismatch`: it points beside the targets in a regular way. `unfit`: its answers do not follow the targets.
`silent`: it points at fewer than three of five."""
FEWEST = 3
"""Answers of five that a canvas needs."""


@runtime_checkable
class OfFamily(Protocol):
    """A grounder over a model of a known family, whose coordinate convention a failed probe can be compared with."""

    @property
    def family(self) -> Family: ...


@dataclass(frozen=True, slots=True)
class Canvas:
    """One canvas: what was asked and what came of it, in the order of `targets`.

    Attributes:
        size: of the screenshot. fit: None where too few answered.
    """

    size: Size
    targets: tuple[Target, ...]
    answers: tuple[Grounding | Abstention, ...]
    fit: Fit | None

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The answers as places."""
        return tuple(_pair(target.at, got) for target, got in zip(self.targets, self.answers, strict=True))

    @property
    def verdict(self) -> Verdict:
        """Of this canvas."""
        if sum(isinstance(answer, Grounding) for answer in self.answers) < FEWEST or self.fit is None:
            outside = sum(pair.outside for pair in self.pairs)
            return "mismatch" if outside >= FEWEST - 1 else "silent"
        if not self.fit.straight:
            return "unfit"
        return "ok" if self.fit.right else "mismatch"

    def lines(self) -> list[str]:
        """For a terminal: one line a target, and what they come to."""
        told = []
        for number, (target, got) in enumerate(zip(self.targets, self.answers, strict=True)):
            if isinstance(got, Grounding):
                missed = "  (a miss)" if self.fit and self.fit.missed == number else ""
                what = f"{_place(got.point, self.size)} for {_place(target.at, self.size)}{missed}"
            else:
                what = f"{got.reason}: {got.detail}" if got.detail else got.reason
            told.append(f"{target.description}: {what}")
        if self.fit:
            x, y = self.fit.x, self.fit.y
            told.append(
                f"x: scale {x.scale:.3f}, offset {x.offset:+.3f}; y: scale {y.scale:.3f}, offset {y.offset:+.3f}"
            )
        return told


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the probe found.

    Attributes:
        diagnosis: what the answers look like, where they are not what they should be.
        explained: a coordinate space, or a size of the picture, explains them: the mismatch is regular.
        usage: what it cost.
    """

    canvases: tuple[Canvas, ...]
    diagnosis: str
    explained: bool
    usage: Usage

    @property
    def verdict(self) -> Verdict:
        """The worst of the canvases: a regular mismatch says more than answers that follow nothing."""
        found = {canvas.verdict for canvas in self.canvases}
        if self.explained:
            return "mismatch"
        return next(verdict for verdict in ("mismatch", "unfit", "silent", "ok") if verdict in found)

    @property
    def ok(self) -> bool:
        """Whether the grounder points where it means to."""
        return self.verdict == "ok"

    def text(self) -> str:
        """The whole finding for a terminal."""
        lines = []
        for one in self.canvases:
            lines += [f"{one.size}: {one.verdict}", *(f"  {line}" for line in one.lines())]
        return "\n".join([*lines, self.conclusion()])

    def conclusion(self) -> str:
        """One sentence."""
        if self.ok:
            return "calibrated: it points where it means to"
        says = {
            "mismatch": "MISMATCH: it points beside the targets",
            "unfit": "UNFIT: its answers do not follow the targets",
            "silent": "SILENT: it does not point at most targets",
        }[self.verdict]
        return f"{says}{'; ' if self.diagnosis else ''}{self.diagnosis}"

    def to_json(self) -> dict[str, Any]:
        """For the provenance of a run."""
        canvases = []
        for one in self.canvases:
            axes = {} if one.fit is None else {"x": round(one.fit.x.scale, 4), "y": round(one.fit.y.scale, 4)}
            abstained = sum(isinstance(answer, Abstention) for answer in one.answers)
            canvases.append({"size": str(one.size), "verdict": one.verdict, "scale": axes, "abstained": abstained})
        return {"verdict": self.verdict, "canvases": canvases}


def calibrate(grounder: Grounder, sizes: Sequence[Size] = SIZES) -> Calibration:
    """Ask a grounder for the five targets on a canvas of each size.

    Raises:
        ConfigError: it does not look at screenshots; or the model refuses the request.
        ModelUnavailable: its model did not answer.
    """
    if beyond := frozenset(grounder.needs) - {Modality.SCREENSHOT}:
        needs = ", ".join(sorted(beyond))
        raise ConfigError(f"there is nothing to calibrate: the probe is a picture, and this grounder needs {needs}")
    canvases = tuple(_ask(grounder, size) for size in sizes)
    answers = [answer for one in canvases for answer in one.answers]
    family = grounder.family if isinstance(grounder, OfFamily) else None
    regular, said = False, ""
    if isinstance(family, Family) and any(one.verdict != "ok" for one in canvases):
        regular, said = diagnose(family, [(one.size, one.pairs) for one in canvases])
    return Calibration(canvases, said, regular, sum((answer.usage for answer in answers), Usage()))


def _ask(grounder: Grounder, size: Size) -> Canvas:
    seen = Observation("calibration", 0.0, size, screenshot=canvas(size))
    answers = tuple(grounder.ground(seen, target.description) for target in TARGETS)
    pairs = [_pair(target.at, answer) for target, answer in zip(TARGETS, answers, strict=True)]
    return Canvas(size, TARGETS, answers, fit(pairs))


def _pair(asked: Point, answer: Grounding | Abstention) -> Pair:
    if isinstance(answer, Grounding):
        return Pair(asked, answer.point)
    return Pair(asked, None, outside=answer.reason == "out_of_range")


def _place(point: Point, size: Size) -> str:
    x, y = point.to_pixels(size)
    return f"({x:.0f}, {y:.0f})"
