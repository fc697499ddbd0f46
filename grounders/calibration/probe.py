"""The probe: does a grounder point where it means to? It is asked for five known targets on two canvases.

It catches servers or providers that resize images, a wrong coordinate space, a wrong axis order: everything that
shifts clicks without raising an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from omnipilot.envs import ConfigError, Modality, Observation, Point, Size
from omnipilot.grounders.base import Abstention, Grounder, Grounding
from omnipilot.grounders.calibration.fit import Fit, ProbePair, diagnose, fit
from omnipilot.grounders.calibration.targets import SIZES, TARGETS, ProbeTarget, canvas
from omnipilot.memory import Usage

Verdict: TypeAlias = Literal["ok", "mismatch", "unfit", "silent"]
"""`mismatch`: answers are off the targets in a systematic way. `unfit`: answers do not follow the targets.
`silent`: fewer than three of five targets were answered."""
FEWEST = 3
"""Minimum number of answers, of five, on a canvas."""


@dataclass(frozen=True, slots=True)
class CanvasProbe:
    """One canvas: questions and results, in the order of `targets`.

    Attributes:
        size: of the screenshot. fit: None if there were too few answers.
    """

    size: Size
    targets: tuple[ProbeTarget, ...]
    answers: tuple[Grounding | Abstention, ...]
    fit: Fit | None

    @property
    def pairs(self) -> tuple[ProbePair, ...]:
        """The answers as pairs of points."""
        return tuple(_pair(target.at, got) for target, got in zip(self.targets, self.answers, strict=True))

    @property
    def verdict(self) -> Verdict:
        """The verdict on this canvas."""
        if sum(isinstance(answer, Grounding) for answer in self.answers) < FEWEST or self.fit is None:
            outside = sum(pair.outside for pair in self.pairs)
            return "mismatch" if outside >= FEWEST - 1 else "silent"
        if not self.fit.straight:
            return "unfit"
        return "ok" if self.fit.right else "mismatch"

    def lines(self) -> list[str]:
        """Report for a terminal: one line per target, and a summary."""
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
    """The result of a probe.

    Attributes:
        diagnosis: description of the answers, if they are wrong.
        explained: whether a coordinate space or an image size explains them, so that the mismatch is systematic.
        usage: usage of the model calls.
    """

    canvases: tuple[CanvasProbe, ...]
    diagnosis: str
    explained: bool
    usage: Usage

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of the canvases; a systematic mismatch takes precedence over answers without a pattern."""
        found = {canvas.verdict for canvas in self.canvases}
        if self.explained:
            return "mismatch"
        return next(verdict for verdict in ("mismatch", "unfit", "silent", "ok") if verdict in found)

    @property
    def ok(self) -> bool:
        """Whether the grounder points where it means to."""
        return self.verdict == "ok"

    def text(self) -> str:
        """The full report for a terminal."""
        lines = []
        for one in self.canvases:
            lines += [f"{one.size}: {one.verdict}", *(f"  {line}" for line in one.lines())]
        return "\n".join([*lines, self.conclusion()])

    def conclusion(self) -> str:
        """The result in one sentence."""
        if self.ok:
            return "calibrated: it points where it means to"
        says = {
            "mismatch": "MISMATCH: it points beside the targets",
            "unfit": "UNFIT: its answers do not follow the targets",
            "silent": "SILENT: it does not point at most targets",
        }[self.verdict]
        return f"{says}{'; ' if self.diagnosis else ''}{self.diagnosis}"

    def to_json(self) -> dict[str, Any]:
        """The result as JSON, for the provenance of a run."""
        canvases = []
        for one in self.canvases:
            axes = {} if one.fit is None else {"x": round(one.fit.x.scale, 4), "y": round(one.fit.y.scale, 4)}
            abstained = sum(isinstance(answer, Abstention) for answer in one.answers)
            canvases.append({"size": str(one.size), "verdict": one.verdict, "scale": axes, "abstained": abstained})
        return {"verdict": self.verdict, "canvases": canvases}


def calibrate(grounder: Grounder, sizes: Sequence[Size] = SIZES) -> Calibration:
    """Ask a grounder for the five targets on a canvas of each size.

    Raises:
        ConfigError: it does not use screenshots, or the model rejects the request.
        ModelUnavailable: its model did not answer.
    """
    if beyond := frozenset(grounder.needs) - {Modality.SCREENSHOT}:
        needs = ", ".join(sorted(beyond))
        raise ConfigError(f"this grounder cannot be calibrated: the probe only has screenshots, and it needs {needs}")
    canvases = tuple(_ask(grounder, size) for size in sizes)
    answers = [answer for one in canvases for answer in one.answers]
    family = grounder.family
    regular, said = False, ""
    if family is not None and any(one.verdict != "ok" for one in canvases):
        regular, said = diagnose(family, [(one.size, one.pairs) for one in canvases])
    return Calibration(canvases, said, regular, sum((answer.usage for answer in answers), Usage()))


def _ask(grounder: Grounder, size: Size) -> CanvasProbe:
    seen = Observation("calibration", 0.0, size, screenshot=canvas(size))
    answers = tuple(grounder.ground(seen, target.description) for target in TARGETS)
    pairs = [_pair(target.at, answer) for target, answer in zip(TARGETS, answers, strict=True)]
    return CanvasProbe(size, TARGETS, answers, fit(pairs))


def _pair(asked: Point, answer: Grounding | Abstention) -> ProbePair:
    if isinstance(answer, Grounding):
        return ProbePair(asked, answer.point)
    return ProbePair(asked, None, outside=answer.reason == "out_of_range")


def _place(point: Point, size: Size) -> str:
    x, y = point.to_pixels(size)
    return f"({x:.0f}, {y:.0f})"
