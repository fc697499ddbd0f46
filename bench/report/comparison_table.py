"""A comparison of two runs as tables: the figures, and the tasks that flipped."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.experiments.comparison import POINTED, Comparison, ComparisonRow
from omnipilot.bench.number_words import number_words
from omnipilot.bench.report.headline_table import DIGITS
from omnipilot.bench.report.method_notes import (
    DETECTABLE,
    bound_notes,
    honest_notes,
    interval_words,
    intervals_note,
    p_words_of,
)
from omnipilot.bench.tables import Table

POINTED_NOTE = (
    "pointed right: of all places for which it can be told; harder places may come up in one of the runs only, as each "
    "goes its own way"
)
EVERY_TRIAL = "pass^k %"
"""The column for instances that are solved in all of their trials."""
RATIOS = ("EQ1",)
"""Figures that are ratios and no percentages."""


def compare_table(found: Comparison) -> Table:
    """One row per figure: A, B, the paired difference with its interval and p-value, and what would be detectable."""
    a, b = found.names
    rows = [figure_row(one) for one in found.rows]
    if found.valid is not None:
        rows.insert(1, figure_row(found.valid, " without void"))
    columns = ("", a, b, "B − A", "p", "detectable")
    return Table(columns, tuple(rows), tuple(_notes(found)), methods=tuple(_methods(found)))


def compare_scopes_table(found: Comparison) -> Table | None:
    """SR among tasks with one and several applications and devices, for exploring; None where they are all alike."""
    if not found.scopes:
        return None
    a, b = found.names
    note = "by what tasks need: for exploring" + ("" if found.one_run else "; these p-values are not corrected")
    methods = _figure_methods(found, found.scopes)
    rows = tuple(figure_row(one) for one in found.scopes)
    return Table(("", a, b, "B − A", "p", "detectable"), rows, (note,), methods=tuple(methods))


def flip_table(found: Comparison, most: int | None = None) -> Table:
    """One row per instance that one run solves more often than the other; those that B loses come first.

    Args:
        most: how many to show, the largest losses and gains; None for all.
    """
    a, b = found.names
    flips = list(reversed(found.flips))
    shown = flips if most is None or len(flips) <= most else [*flips[: most - most // 2], *flips[-(most // 2) :]]
    rows = tuple(
        ("gained" if flip.gain > 0 else "lost", f"{flip.task}#{flip.instance}", _of(flip.a), _of(flip.b), flip.how)
        for flip in shown
    )
    gained = sum(flip.gain > 0 for flip in flips)
    notes = [
        f"{gained} gained, {len(flips) - gained} lost, {found.pairs - len(flips)} the same; "
        "solved of all attempts, and how the failed attempts of the worse run ended"
    ]
    notes += [f"{len(flips) - len(shown)} more flipped: --all shows them"] * (len(shown) < len(flips))
    columns = ("flipped", "task#instance", a, b, "failures")
    return Table(columns, rows, tuple(notes), labels=2, words=("failures",))


def p_text(p: float | None) -> str:
    """A p-value for a table."""
    return "—" if p is None else f"{p:.2g}" if p >= 0.0001 else "<0.0001"


def p_words(p: float | None, how: str = "") -> str:
    """A p-value in words, as "p = 0.03 (Holm)"; "" for none."""
    if p is None:
        return ""
    return f"p {'< 0.0001' if p < 0.0001 else f'= {p:.2g}'}{f' ({how})' if how else ''}"


def row_name(one: ComparisonRow) -> str:
    """The name of a row: the figure with its unit, and the tasks that it is over if those are not all."""
    if one.figure is not None:
        return one.figure.heading
    return f"{one.name}{'' if one.name in RATIOS else ' %'}{f' {one.among}' if one.among else ''}"


def figure_row(one: ComparisonRow, more: str = "") -> tuple[str, ...]:
    digits, scale = (3, 1.0) if one.name in RATIOS else (DIGITS.get(one.name, 1), 100.0)
    if one.figure is not None:
        digits, scale = one.figure.digits, one.figure.scale
    apart, signed = one.difference, " − " in one.among
    return (
        f"{row_name(one)}{more}",
        one.a.text(digits, scale, signed),
        one.b.text(digits, scale, signed),
        apart.interval.text(digits, scale, signed=True),
        p_text(apart.p),
        "—" if apart.detectable is None else f"{scale * apart.detectable:.{digits}f}",
    )


def _notes(found: Comparison) -> list[str]:
    """What a reader needs at once."""
    a, b = found.names
    notes = [
        f"A = {a}, B = {b}; {number_words(found.pairs, 'pair')} (task and instance, the mean over trials) of "
        f"{number_words(found.tasks, 'task')}; " + intervals_note(found.level, short=True)
    ]
    if not found.one_run and len(found.rows) > 1:
        notes.append("the comparison is about SR; p-values of the other figures are for exploring, and not corrected")
    notes += bound_notes(zip(found.names, found.gold, strict=True))
    notes += honest_notes(zip(found.names, found.agents, strict=False))
    notes += found.budgets
    notes += ["no EQ1 where nothing is solved"] * (
        bool(found.curves) and not any(one.name == "EQ1" for one in found.rows)
    )
    if found.one_run:
        notes.append("no p: a run under two budgets is one run, and more turns can only add to what is solved")
    notes += [POINTED_NOTE] * any(one.name == POINTED for one in found.rows)
    if any(found.void):
        notes.append(f"void episodes count as zero: {found.void[0]} of {a}, {found.void[1]} of {b}")
    notes += [f"left out, because only {name} has it: {_some(keys)}" for name, keys in _alone(found) if keys]
    notes += [f"checks of {line}" for line in found.checks]
    notes += [f"not finished: {line}" for line in found.incomplete]
    notes += [f"differs: {line}" for line in found.specs]
    return notes


def _methods(found: Comparison) -> list[str]:
    a, b = found.names
    notes = [intervals_note(found.level)]
    if not found.one_run:
        notes.append(DETECTABLE.format(100 * found.power))
    if scored := [one.name for one in found.rows if one.name in ("CR", "EE", "CE")]:
        notes.append(f"{', '.join(scored)}: CRAB, variant paper")
    if found.curves:
        notes.append(
            "EQA: success against turns, as shares of each task's limit: the mean of MMBench-GUI's equation 12 over "
            "all orders of the tasks; EQ1 = EQA / SR, EQ2 = SR − EQA"
        )
    notes += _figure_methods(found, found.rows)
    if not isinstance(found.mcnemar, str):
        only_a, only_b, p = found.mcnemar
        told = f"exact McNemar test: only {a} solves {only_a}, only {b} solves {only_b}, p = {p:.2g}"
        notes.append(told + ("; it assumes independent tasks, and these share templates" if found.shared else ""))
    elif not found.one_run:
        notes.append(f"no exact McNemar test: {found.mcnemar}")
    return notes


def _figure_methods(found: Comparison, rows: Sequence[ComparisonRow]) -> list[str]:
    """How intervals and p-values were obtained, figures of one method together."""
    by: dict[str, list[str]] = {}
    for row in rows:
        whose: dict[str, list[str]] = {}
        for name, one in (("A", row.a), ("B", row.b), ("B − A", row.difference.interval)):
            whose.setdefault(one.method, []).append(name)
        how = "intervals " + ", ".join(
            interval_words(f"of {' and '.join(names)}", [method]) for method, names in whose.items()
        )
        if len(whose) == 1:
            how = interval_words("intervals", [row.a.method])
        test = "" if found.one_run else f"; {p_words_of([row.difference.test])}"
        by.setdefault(f"{how}{test}", []).append(f"{row.name} {row.among}".rstrip())
    return [f"{', '.join(names)}: {method}" for method, names in by.items()]


def _alone(found: Comparison) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (found.names[0], found.only_a), (found.names[1], found.only_b)


def _some(keys: tuple[str, ...], most: int = 5) -> str:
    return ", ".join(keys[:most]) + (f" and {len(keys) - most} more" if len(keys) > most else "")


def _of(solved: tuple[int, int]) -> str:
    return f"{solved[0]}/{solved[1]}"
