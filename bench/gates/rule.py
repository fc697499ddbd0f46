"""Gates such as `SR < -5`: whether a run has become worse than its baseline, beyond chance and beyond a tolerance.

A gate fails where both hold of the paired interval of B − A:

* it lies wholly on the gate's side of 0: B differs beyond chance;
* its far end lies beyond the threshold: a change larger than what is tolerated is not ruled out.

Without a difference the first is as rare as one tail of the interval: at most 2.5 % at a level of 95 %. A true change
as large as the threshold is found with the power of the paired test, which `omnipilot plan --difference` plans for.
More than two gates share what two may have, so that false alarms of all together stay at most 1 − level.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from omnipilot.bench.experiments.comparison import Comparison, ComparisonRow
from omnipilot.bench.stats.paired import Difference, PairedSample
from omnipilot.envs import ConfigError

_GRAMMAR = re.compile(r"\s*(?P<figure>[A-Za-z]\S*?)\s*(?P<sign>[<>])\s*(?P<points>[+-]?\d+(?:\.\d+)?)\s*")
_SHARE = re.compile(r"SR|CR|pass[\^@]\d+")
"""Figures that gates can be about: means of shares over pairs, whose power is known."""
ALLOWED = 2
"""So many gates, one tail each, have together the false alarms of a two-sided test."""

Sign = Literal["<", ">"]


@dataclass(frozen=True, slots=True)
class Gate:
    """A tolerance for a change of a figure.

    Attributes:
        figure: its name in the table of the comparison, such as SR. sign: "<" fails on a drop, ">" on a rise.
        points: the change that is tolerated, in points of a hundred, without sign: 0 to below 100.
    """

    figure: str
    sign: Sign
    points: float

    @property
    def words(self) -> str:
        """As it is written: "SR < -5"."""
        return f"{self.figure} {self.sign} {'-' if self.sign == '<' and self.points else ''}{self.points:g}"

    @property
    def change(self) -> str:
        """What it watches for, in one word."""
        return "drop" if self.sign == "<" else "rise"


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """What a gate says of a comparison.

    Attributes:
        row: the figure in both runs, with the paired difference.
        failed: by the rule of this module. beyond_chance: whether the interval lies wholly on the gate's side of 0.
        level: of the test behind this gate, higher than that of the interval where more than two gates share it.
        power: with which a true change of the threshold is found at this number of episodes, in 0..1; None for a
            threshold of 0. wanted: the power that is asked for.
        detectable: the smallest true change, in 0..1, that is found with that power; None where none is.
        tasks_needed: how many tasks like these would find a change of the threshold with that power; None where no
            number would, or the threshold is 0.
    """

    gate: Gate
    row: ComparisonRow
    failed: bool
    beyond_chance: bool
    level: float
    power: float | None
    wanted: float
    detectable: float | None
    tasks_needed: int | None

    @property
    def sample(self) -> PairedSample:
        """What the difference was computed from."""
        assert self.row.difference.sample is not None
        return self.row.difference.sample

    @property
    def too_weak(self) -> bool:
        """Whether a true change as large as the threshold is found with less power than is asked for."""
        return self.power is not None and self.power < self.wanted

    @property
    def episodes_needed(self) -> int | None:
        """How many episodes of each run that is, with as many instances and trials of a task as now."""
        if self.tasks_needed is None:
            return None
        return round(self.tasks_needed * max(count for _, count in self.sample.counts) / self.sample.tasks)


def read_gate(text: str) -> Gate:
    """A gate from text: name of a figure, `<` or `>`, points.

    Raises:
        ConfigError: it is none, or the points have the wrong sign or are 100 or more.
    """
    found = _GRAMMAR.fullmatch(text.replace("−", "-"))
    if found is None:
        raise ConfigError(f"--fail-if {text!r} is no gate; write a figure, < or >, and points, such as 'SR < -5'")
    figure, sign, points = found["figure"], found["sign"], float(found["points"])
    if not _SHARE.fullmatch(figure):
        raise ConfigError(f"--fail-if {text!r}: gates are about SR, CR, pass^k or pass@k, not {figure}")
    if abs(points) >= 100 or (points > 0 if sign == "<" else points < 0):
        other = f"'{figure} {sign} {-points:g}'" if abs(points) < 100 else f"'{figure} < -5'"
        raise ConfigError(
            f"--fail-if {text!r}: the points are those of B − A, from 0 to above -100 after < and from 0 to below 100 "
            f"after >; perhaps {other}"
        )
    return Gate(figure, "<" if sign == "<" else ">", abs(points))


def judge_gates(found: Comparison, gates: Sequence[Gate]) -> tuple[GateVerdict, ...]:
    """What each gate says of a comparison.

    Raises:
        ConfigError: the comparison has no such figure, is of one run with itself, or of a run that is not finished.
    """
    if found.one_run:
        raise ConfigError("--fail-if needs two runs; one run under two budgets can only gain")
    if found.incomplete:
        raise ConfigError(
            f"--fail-if needs finished runs ({'; '.join(found.incomplete)}); the same `omnipilot run --out …` goes on"
        )
    rows = {row.name: row for row in found.rows if not row.among and row.difference.sample is not None}
    verdicts = []
    for gate in gates:
        if gate.figure not in rows:
            names = [name for name in rows if _SHARE.fullmatch(name)]
            raise ConfigError(f"--fail-if {gate.words!r}: these runs have {', '.join(names)}, and no {gate.figure}")
        verdicts.append(judge_gate(gate, rows[gate.figure], found.level, found.power, len(gates)))
    return tuple(verdicts)


def judge_gate(gate: Gate, row: ComparisonRow, level: float, power: float, gates: int = 1) -> GateVerdict:
    """What one gate of several says of a figure.

    Args:
        row: with a difference that has a sample. level: of its interval, from 0.5 to below 1.
        power: that is asked for, from 0.5 to below 1. gates: how many are judged together, at least 1.
    """
    apart, threshold = row.difference, gate.points / 100
    strict = 1 - (1 - level) * min(1.0, ALLOWED / gates)
    beyond = _beyond_chance(gate, apart, strict)
    far = apart.interval.low if gate.sign == "<" else apart.interval.high
    failed = beyond and far is not None and abs(far) > threshold
    sample = apart.sample
    assert sample is not None
    return GateVerdict(
        gate,
        row,
        failed,
        beyond,
        strict,
        sample.power(threshold, strict) if threshold else None,
        power,
        sample.detectable(strict, power),
        sample.tasks_needed(threshold, strict, power) if threshold else None,
    )


def _beyond_chance(gate: Gate, apart: Difference, level: float) -> bool:
    low, high = apart.interval.low, apart.interval.high
    if low is None or high is None or apart.p is None or apart.p > 1 - level + 1e-12:
        return False
    return high < 0 if gate.sign == "<" else low > 0
