"""What gates say, in sentences and as a table."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.gates.rule import GateVerdict
from omnipilot.bench.report.method_notes import many
from omnipilot.bench.tables import Table


def gate_table(verdicts: Sequence[GateVerdict]) -> Table:
    """One row per gate: what it says, the difference with its interval, and what it could have seen."""
    rows = tuple(
        (
            one.gate.words,
            "fails" if one.failed else "passes",
            one.row.difference.interval.text(signed=True),
            "—" if one.power is None else f"{100 * one.power:.0f}",
            "—" if one.detectable is None else f"{100 * one.detectable:.1f}",
            f"{one.sample.pairs}",
            "—" if one.episodes_needed is None else f"{one.episodes_needed:,}",
        )
        for one in verdicts
    )
    wanted, level = f"{100 * verdicts[0].wanted:g}", verdicts[0].row.difference.interval.level
    notes = (
        f"[…]: {100 * level:.4g} % intervals, {100 * (1 - level) / 2:.2g} % beyond an end, as gates look to one side",
        "a gate fails where B − A is beyond chance on its side of 0, and a change past its threshold is not ruled out",
        "power %: of finding a true change as large as the threshold, with these episodes; detectable: the smallest "
        f"true change that is found in {wanted} % of cases; needed: episodes of each run for one as large as the "
        "threshold",
    )
    return Table(("gate", "verdict", "B − A", "power %", "detectable", "pairs", "needed"), rows, notes, labels=2)


def verdict_words(one: GateVerdict) -> str:
    """What a gate says, why, and whether it could have seen a change as large as its threshold."""
    interval = one.row.difference.interval
    apart = f"B − A is {interval.text(signed=True)} points over {many(one.sample.pairs, 'pair')}"
    ends = f"{100 * (1 - interval.level) / 2:.2g} % beyond either end"
    return f"{one.gate.words} {'fails' if one.failed else 'passes'}: {apart} ({ends}), {_reason(one)}. {_strength(one)}"


def gate_lines(verdicts: Sequence[GateVerdict]) -> list[str]:
    """A paragraph for each gate, those that fail first."""
    return [verdict_words(one) for one in sorted(verdicts, key=lambda one: not one.failed)]


def _reason(one: GateVerdict) -> str:
    what, points = one.gate.change, f"{one.gate.points:g} points"
    if one.failed:
        beyond = f", and one of more than {points} is not ruled out" if one.gate.points else ""
        return f"a {what} beyond chance{beyond}"
    if one.beyond_chance:
        return f"a {what} beyond chance, but of no more than {points}"
    if one.row.difference.interval.low is None:
        return "and too few tasks to tell chance"
    return f"no {what} beyond chance"


def _strength(one: GateVerdict) -> str:
    """The power at the threshold; where it is too little, what would be found, and what it would take."""
    change, points = one.gate.change, f"{one.gate.points:g} points"
    if one.detectable is None:
        seen = f"With so few tasks no {change} can be seen, however large"
    else:
        seen = f"The smallest {change} found in {100 * one.wanted:g} % of cases is {100 * one.detectable:.1f} points"
    if one.power is None:
        return f"{seen}."
    power = f"a true {change} of {points} is found in {100 * one.power:.0f} % of cases"
    if not one.too_weak:
        return f"{power.capitalize()} at this number of episodes."
    if one.episodes_needed is None:
        cure = "no number of episodes like these would do"
    else:
        assert one.tasks_needed is not None
        cure = (
            f"{points} take about {many(one.tasks_needed, 'task')} like these, {one.episodes_needed:,} episodes of "
            "each run"
        )
    return f"The gate is too weak for its threshold: {power}. {seen}; {cure}."
