"""A grid as tables: the matrix with its margins, the cells, and what either part is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omnipilot.bench.experiments.grid_results import COLUMNS, ROWS, GridCell, GridResults, Worth
from omnipilot.bench.journal.results import judged_episodes
from omnipilot.bench.journal.void_reasons import all_void_notes
from omnipilot.bench.report.comparison_table import p_text
from omnipilot.bench.report.grid_conclusion import factor_text, gold_of
from omnipilot.bench.report.method_notes import (
    BOUND,
    corrected_note,
    honest_notes,
    interval_words,
    intervals_note,
    many,
    p_words_of,
    person_notes,
)
from omnipilot.bench.stats.intervals import Interval
from omnipilot.bench.tables import Table

_PAIRED = "paired by task and instance, the mean over trials"


def grid_tables(found: GridResults) -> tuple[Table, ...]:
    """All tables of a grid; those that have no rows are left out."""
    makers = (matrix_table, cells_table, worth_table, within_table)
    return tuple(table for table in (make(found) for make in makers) if table.rows)


def main_tables(found: GridResults) -> tuple[Table, ...]:
    """Those that a terminal shows: all but the ones about single rows and columns, which the page has."""
    makers = (matrix_table, cells_table, worth_table)
    return tuple(table for table in (make(found) for make in makers) if table.rows)


def matrix_table(found: GridResults) -> Table:
    """Planners × grounders: SR of each cell, and the means of rows, columns and all cells if these have several."""
    rows = [
        (planner, *map(_rate, cells), _interval(margin))
        for planner, cells, margin in zip(found.planners, found.cells, found.row_margins, strict=True)
    ]
    columns = (ROWS, *found.grounders, "all grounders")
    if len(found.planners) > 1:
        rows.append(("all planners", *map(_interval, found.column_margins), _interval(found.grand)))
    if len(found.grounders) < 2:
        rows, columns = [row[:-1] for row in rows], columns[:-1]
    return Table(columns, tuple(rows), tuple(_matrix_notes(found)), methods=tuple(_matrix_methods(found)))


def cells_table(found: GridResults) -> Table:
    """One row per cell: solved, SR, pointed right, EQA, false completions, void episodes."""
    columns = (
        ROWS,
        COLUMNS,
        "solved",
        "SR %",
        "pointed right",
        "pointed right %",
        "EQA %",
        "false completion",
        "void",
    )
    rows = [
        (
            planner,
            grounder,
            f"{sum(e.success for e in cell.run.episodes)}/{len(judged_episodes(cell.run.episodes))}",
            _interval(_solved(cell)),
            f"{cell.right}/{cell.told}",
            _interval(cell.accuracy),
            _interval(cell.efficiency),
            str(cell.false_completions),
            str(cell.solved.void if cell.solved else 0),
        )
        for planner, cells in zip(found.planners, found.cells, strict=True)
        for grounder, cell in zip(found.grounders, cells, strict=True)
    ]
    methods = [cell.accuracy.method for cell in found.all_cells if cell.accuracy is not None]
    notes = [] if methods else ["pointed right: there is no place for which it can be told"]
    how = [
        "pointed right: of the described places for which it can be told; " + interval_words("interval", methods)
    ] * bool(methods)
    how += [
        "EQA: success against turns, as shares of each task's limit; the mean over all orders of tasks (MMBench-GUI)",
    ]
    if silent := [name for name, cells in zip(found.planners, found.cells, strict=True) if _asked_nothing(cells)]:
        notes.append(
            f"{', '.join(silent)}: no place was asked of a grounder in any episode, as by a planner that points "
            "itself, so what a grounder is worth does not show there"
        )
    return Table(columns, tuple(rows), tuple(notes), labels=2, methods=tuple(how))


def _asked_nothing(cells: Sequence[GridCell]) -> bool:
    """Whether there are episodes, and no grounder was asked for a place in any of them."""
    episodes = [one for cell in cells for one in cell.run.episodes if not one.void]
    return bool(episodes) and not any(one.pointed_asked or one.pointed_told for one in episodes)


def worth_table(found: GridResults) -> Table:
    """Along both margins: each part against the first of its kind, and the largest difference that there is."""
    rows: list[tuple[str, ...]] = [
        (one.axis, one.old, one.new, *_contrast(one), p_text(one.adjusted)) for one in _by_effect(found.gains)
    ]
    tests = sum(one.adjusted is not None for one in found.gains)
    notes = ["success with “to” minus that with “from”, in points; factor: the one divided by the other"]
    notes += [corrected_note(tests, "row")] * (tests > 1)
    how = [f"over all parts of the other kind, {_PAIRED}", *_methods(found.gains)]
    for axis, one in found.ranges.items():
        names = found.names(axis)
        if one.pairs > 1:
            difference, factor = one.contrast.difference.text(signed=True), factor_text(one.contrast.factor)
            rows.append((f"{axis}, largest", names[one.worst], names[one.best], difference, factor, "", ""))
    if any(one.pairs > 1 for one in found.ranges.values()):
        how.append(
            "largest: best against worst, chosen after seeing the data, so its interval is wider: those of all pairs "
            "of its kind hold together (Bonferroni)"
        )
    if found.dominance is not None:
        axis, wider, _ = found.dominance
        how.append(
            f"the largest difference between {axis}s is {wider.text(signed=True)} points larger than that of the other "
            f"kind; chosen after seeing the data, so at a level of {100 * wider.level:.4g} % (Bonferroni)"
        )
    columns = ("part", "from", "to", "to − from", "factor", "p", "p Holm")
    return Table(columns, tuple(rows), tuple(notes), labels=3, methods=tuple(how))


def within_table(found: GridResults) -> Table:
    """The same within each row and each column of the grid."""
    rows = [(one.axis, one.within, one.old, one.new, *_contrast(one), p_text(one.adjusted)) for one in found.within]
    tests = sum(one.adjusted is not None for one in found.within)
    notes = (
        "as above, with one part of the other kind held fixed",
        *([corrected_note(tests, "row")] if tests > 1 else []),
    )
    columns = ("part", "with", "from", "to", "to − from", "factor", "p", "p Holm")
    return Table(columns, tuple(rows), notes, labels=4, methods=tuple(_methods(found.within)))


def _matrix_notes(found: GridResults) -> Iterator[str]:
    yield "SR in %, the share of episodes solved; a void one (a device or a model was lost) counts as zero"
    yield intervals_note(found.level, short=True)
    if not found.complete:
        yield "means are given only for rows and columns in which all cells are finished"
    for cell in found.all_cells:
        if not cell.complete:
            yield f"not finished: {cell.run.name}, {len(cell.run.episodes)} of {cell.run.planned} episodes"
    if gold := gold_of(found):
        yield f"{BOUND}: every cell with {' or '.join(gold)}"
    yield from honest_notes((cell.run.name, cell.run.spec.agent) for cell in found.all_cells)
    yield from person_notes((cell.run.name, cell.run) for cell in found.all_cells)
    yield from all_void_notes([(cell.run.name, cell.run.episodes) for cell in found.all_cells])


def _matrix_methods(found: GridResults) -> Iterator[str]:
    solved = [cell.solved.all.method for cell in found.all_cells if cell.solved is not None]
    yield f"{intervals_note(found.level)}; {interval_words('SR', solved)}"
    margins = [one for one in (*found.row_margins, *found.column_margins, found.grand) if one is not None]
    if margins:
        yield (
            f"means of rows and columns: over the {many(found.units, 'instance')} of {many(found.tasks, 'task')} that "
            f"all cells share; {interval_words('intervals', [one.method for one in margins])}"
        )


def _by_effect(worth: Sequence[Worth]) -> list[Worth]:
    """Kind by kind, from the largest loss to the largest gain."""
    kinds = list(dict.fromkeys(one.axis for one in worth))
    return sorted(worth, key=lambda one: (kinds.index(one.axis), one.contrast.difference.estimate))


def _rate(cell: GridCell) -> str:
    if cell.solved is None:
        return "—"
    more = f", {cell.solved.void} void" if cell.solved.void else ""
    if not cell.complete:
        more += f", {len(cell.run.episodes)} of {cell.run.planned}"
    return cell.solved.all.text() + more


def _solved(cell: GridCell) -> Interval | None:
    return None if cell.solved is None else cell.solved.all


def _interval(interval: Interval | None) -> str:
    return "—" if interval is None else interval.text()


def _contrast(one: Worth) -> tuple[str, str, str]:
    found = one.contrast
    return found.difference.text(signed=True), factor_text(found.factor), p_text(found.p)


def _methods(worth: Sequence[Worth]) -> list[str]:
    if not worth:
        return []
    return [
        interval_words("intervals", [one.contrast.difference.method for one in worth])
        + "; "
        + p_words_of([one.contrast.test for one in worth])
    ]
