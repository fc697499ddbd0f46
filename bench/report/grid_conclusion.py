"""What a grid says about planners and grounders, in a few sentences that follow from its intervals."""

from __future__ import annotations

from collections.abc import Iterator

from omnipilot.agents.assembly.build import gold_parts
from omnipilot.bench.experiments.grid_results import COLUMNS, ROWS, Axis, GridResults
from omnipilot.bench.report.conclusions import Conclusion, cannot_show, void_caveat
from omnipilot.bench.report.method_notes import interval_words, many
from omnipilot.bench.stats.crossed import Factor
from omnipilot.bench.stats.intervals import Interval
from omnipilot.bench.stats.sign_flips import fewest

FINISH = "run the same command again to finish them"


def conclude_grid(found: GridResults) -> Conclusion:
    """What a grid says of planners and grounders. Each sentence says so where something cannot be told.

    `better` and `worse` hold the parts that are told apart, as "planner gold"; `untold` the kinds of which none are.
    """
    if not found.complete:
        lacking = sum(not cell.complete for cell in found.all_cells)
        many_cells = f"{lacking} of {many(len(found.all_cells), 'cell')} {'is' if lacking == 1 else 'are'}"
        return Conclusion((f"{many_cells} not finished, so nothing is concluded; {FINISH}.",))
    kinds = [axis for axis in (COLUMNS, ROWS) if len(found.names(axis)) > 1]
    apart = {axis: one for axis, one in found.ranges.items() if told_apart(one.contrast.difference)}
    return Conclusion(
        tuple(_sentences(found)),
        tuple(f"{axis} {found.names(axis)[one.best]}" for axis, one in apart.items()),
        tuple(f"{axis} {found.names(axis)[one.worst]}" for axis, one in apart.items()),
        tuple(axis for axis in kinds if axis not in apart),
    )


def gold_of(found: GridResults) -> tuple[str, ...]:
    """The parts in the grid that know the solution or the true screen: "planner gold", "grounder gold, graded"."""
    parts = [part for cell in found.all_cells for part in gold_parts(cell.run.spec.agent)]
    told = []
    for kind in (ROWS, COLUMNS):
        names = dict.fromkeys(part.partition(" ")[2] for part in parts if part.startswith(f"{kind} "))
        told += [f"{kind}{'s' if len(names) > 1 else ''} {', '.join(names)}"] if names else []
    return tuple(told)


def factor_text(factor: Factor, interval: bool = True) -> str:
    """A quotient as "×2.8 [1.9, 4.1]"; "—" where one would divide by 0."""
    if factor.estimate is None:
        return "—"
    shown = f"×{_number(factor.estimate)}"
    if not interval:
        return shown
    if factor.low is None or factor.high is None:
        return f"{shown} [—]"
    return f"{shown} [{_number(factor.low)}, {_number(factor.high)}]"


def told_apart(interval: Interval) -> bool:
    """Whether an interval is there and does not contain 0."""
    return interval.low is not None and interval.high is not None and not interval.low <= 0 <= interval.high


def _sentences(found: GridResults) -> Iterator[str]:
    level, pairs = found.level, min((one.pairs for one in found.ranges.values()), default=1)
    if found.kind != "overlap" and found.groups < fewest(1 - (1 - level) / pairs):
        yield from cannot_show(found.tasks, found.groups, found.kind, pairs, level, "pair of parts")
        yield from _caveats(found)
        return
    grounder, planner = _worth(found, COLUMNS), _worth(found, ROWS)
    these = "this task" if found.tasks == 1 else f"these {found.tasks} tasks"
    yield f"On {these}, {grounder}; {planner}."
    if found.dominance is not None:
        yield _dominance(found)
    yield from _caveats(found)


def _caveats(found: GridResults) -> Iterator[str]:
    if gold := gold_of(found):
        yield (
            f"The {' and the '.join(gold)} {'know' if len(gold) > 1 or ',' in gold[0] else 'knows'} the solution or "
            "the true screen: these are bounds of what a part can be worth here, not results of an agent."
        )
    yield from void_caveat(found.void, sum(len(cell.run.episodes) for cell in found.all_cells))


def _worth(found: GridResults, axis: Axis) -> str:
    names = found.names(axis)
    if len(names) < 2:
        return f"with the one {axis} {names[0]}, nothing is said of what another {axis} is worth"
    one = found.ranges[axis]
    difference = one.contrast.difference
    pair = f"{names[one.worst]} → {names[one.best]}"
    if difference.low is None:
        return f"what another {axis} is worth cannot be told ({interval_words('interval', [difference.method])})"
    ends = difference.text(signed=True).partition(" ")
    if not told_apart(difference):
        if difference.estimate == 0:
            return f"no {axis} solves more than another ({ends[2]} for each pair)"
        return f"no difference between {axis}s can be told (at most {ends[0]} points, {pair}, {ends[2]})"
    factor = one.contrast.factor
    times = f"{names[one.worst]} solves nothing" if factor.estimate is None else factor_text(factor, interval=False)
    return f"another {axis} is worth up to {ends[0]} points ({pair}, {ends[2]}, {times})"


def _dominance(found: GridResults) -> str:
    assert found.dominance is not None
    axis, wider, told = found.dominance
    other = ROWS if axis == COLUMNS else COLUMNS
    shown = wider.text(signed=True)
    if wider.low is None:
        return (
            f"Whether grounder or planner matters more cannot be told ({interval_words('interval', [wider.method])})."
        )
    if not told:
        return (
            f"Whether grounder or planner matters more cannot be told: the choice of {axis} makes "
            f"{shown} points more difference than that of {other}, among those tried."
        )
    return (
        f"Here the {axis} matters more than the {other}: among those tried, its choice makes {shown} points more "
        "difference."
    )


def _number(value: float) -> str:
    """With about two digits, as 0.45, 1.15, 2.8, 17."""
    if value == float("inf"):
        return "∞"
    return f"{value:.2f}" if value < 2 else f"{value:.1f}" if value < 10 else f"{value:.0f}"
