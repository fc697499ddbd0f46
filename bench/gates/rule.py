"""Gates such as `SR < -5`: whether a run has become worse than its baseline, beyond chance and beyond a tolerance.

A gate fails where both hold of the paired interval of B − A:

* it lies wholly on the gate's side of 0: B differs beyond chance;
* its far end lies beyond the threshold: a change larger than what is tolerated is not ruled out.

A gate looks to one side, so its interval may have all that it may be wrong by, 5 %, beyond the end that faces 0: it is
the interval at 90 %. Several gates share the 5 %: with two, each has the interval at 95 %. So all together raise a
false alarm in at most 5 % of comparisons. A true change as large as the threshold is found with the power of that test,
which is a little more than `omnipilot plan --difference` plans for, as plans are for a test to both sides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from omnipilot.bench.experiments.comparison import ComparisonRow, compared_figure, paired_shares
from omnipilot.bench.journal.run import Run
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES
from omnipilot.bench.stats.paired import POWER, Pair, PairedSample
from omnipilot.envs import ConfigError

_GRAMMAR = re.compile(r"\s*(?P<figure>[A-Za-z]\S*?)\s*(?P<sign>[<>])\s*(?P<points>[+-]?\d+(?:\.\d+)?)\s*")
_SHARE = re.compile(r"SR|CR|pass[\^@]\d+")
"""Figures that gates can be about: means of shares over pairs, whose power is known."""
LEAST_LEVEL = 0.75
"""Below it the interval of a gate would have a level below a half."""

Sign = Literal["<", ">"]


@dataclass(frozen=True, slots=True)
class FigureGate:
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
        row: the figure in both runs, with the paired difference and the interval that the gate looks at.
        failed: by the rule of this module. beyond_chance: whether the interval lies wholly on the gate's side of 0.
        power: with which a true change of the threshold is found at this number of episodes, in 0..1; None for a
            threshold of 0. wanted: the power that is asked for.
        detectable: the smallest true change, in 0..1, that is found with that power; None where none is.
        tasks_needed: how many tasks like these would find a change of the threshold with that power; None where no
            number would, or the threshold is 0.
    """

    gate: FigureGate
    row: ComparisonRow
    failed: bool
    beyond_chance: bool
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


def read_gate(text: str) -> FigureGate:
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
    return FigureGate(figure, "<" if sign == "<" else ">", abs(points))


def judge_gates(
    a: Run,
    b: Run,
    gates: Sequence[FigureGate],
    level: float = LEVEL,
    power: float = POWER,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> tuple[GateVerdict, ...]:
    """What each gate says of two runs of one suite.

    Args:
        level: 1 - the share of comparisons without a difference in which any gate may fail, from 0.75 to below 1.
        power: that gates should have, from 0.5 to below 1. resamples, seed: of the bootstrap.

    Raises:
        ConfigError: the runs have no such figure, share no task, or are not finished; the level is too low.
    """
    if not gates:
        return ()
    short = [f"{run.name}: {len(run.episodes)} of {run.planned} episodes" for run in (a, b) if _is_short(run)]
    if short:
        raise ConfigError(
            f"--fail-if needs finished runs ({'; '.join(short)}); the same `omnipilot run --out …` goes on"
        )
    if not LEAST_LEVEL <= level < 1:
        raise ConfigError(f"--fail-if needs a --level from {LEAST_LEVEL} to below 1, not {level:g}")
    figures = paired_shares(a, b)
    strict, verdicts = gate_level(level, len(gates)), []
    for gate in gates:
        if gate.figure not in figures:
            raise ConfigError(f"--fail-if {gate.words!r}: these runs have {', '.join(figures)}, and no {gate.figure}")
        verdicts.append(judge_gate(gate, figures[gate.figure], strict, power, resamples, seed))
    return tuple(verdicts)


def gate_level(level: float, gates: int) -> float:
    """The level of the interval that each of so many gates looks at.

    Args:
        level: 1 - the share of comparisons without a difference in which any of them may fail. gates: at least 1.
    """
    return 1 - 2 * (1 - level) / gates


def judge_gate(
    gate: FigureGate, pairs: Sequence[Pair], level: float, power: float, resamples: int = RESAMPLES, seed: int = 0
) -> GateVerdict:
    """What a gate says of the pairs of its figure.

    Args:
        level: of the interval, from 0.5 to below 1 (`gate_level`). The others are those of `judge_gates`.

    Raises:
        ConfigError: there is no pair.
    """
    row = compared_figure(gate.figure, pairs, level, power, resamples, seed)
    interval, sample, threshold = row.difference.interval, row.difference.sample, gate.points / 100
    assert sample is not None
    ends = (interval.high, interval.low) if gate.sign == "<" else (interval.low, interval.high)
    near, far = (None if end is None else (-end if gate.sign == "<" else end) for end in ends)
    beyond = near is not None and near > 0
    return GateVerdict(
        gate,
        row,
        beyond and far is not None and far > threshold,
        beyond,
        sample.power(threshold, level) if threshold else None,
        power,
        row.difference.detectable,
        sample.tasks_needed(threshold, level, power) if threshold else None,
    )


def _is_short(run: Run) -> bool:
    return len(run.episodes) < run.planned
