"""`omnipilot score mmbench-l3` and `mmbench-l4`: success and EQA of result files, or of any run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from omnipilot.bench.scoring.eqa import UNCUT, Attempt, Form, eqa_shuffled, limit_attempts
from omnipilot.bench.scoring.score import Figure, Item, Scored
from omnipilot.bench.stats.intervals import LEVEL, Interval
from omnipilot.bench.suites.mmbench_gui.level3.data import Results, read_results
from omnipilot.bench.suites.mmbench_gui.level3.interval import AVERAGE, NAMES, Scores, resamples_of, scores
from omnipilot.bench.suites.mmbench_gui.level3.metrics import LIMITS, PlatformRow, average
from omnipilot.bench.suites.mmbench_gui.level3.run_attempts import find_runs, read_runs
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError

WORDS: dict[Form, str] = {
    "release": "EQA as released: the mean at 101 points of straight lines through (u, solved)",
    "closed": "EQA of equation 12, the sum of (1 - u) over solved tasks; it equals the area of equation 11",
    "grid": "EQA of equation 11's right side: the mean of the step curve at 101 points",
    "integral": "EQA of equation 11's left side: the area under the step curve",
}
ORDERS = 1_000


class MMBenchL3:
    """Level 3, tasks within one application. The variant is the form of EQA."""

    name = "mmbench-l3"
    variants = tuple(WORDS)
    format = (
        "a folder with result.txt files, each {completed, steps_used, max_steps}; a table (.jsonl, .json, .csv) of "
        "{task, platform, completed, steps_used[, max_steps]}; any run directory; or a folder of several, such as one "
        "for each platform"
    )

    def score(self, data: str, predictions: Path, variant: str = "release") -> Scored:
        """SR, EQA, EQ¹ and EQ² for each limit that the attempts allow, overall and by platform.

        Args:
            data: "", or a folder with the list of all tasks; see `GET` in `data.py`.

        Raises:
            ConfigError: no such variant, or no result that can be read.
        """
        form = next((form for form in WORDS if form == variant), None)
        if form is None:
            raise ConfigError(f"{self.name} has no variant {variant!r}; it has {', '.join(WORDS)}")
        runs = find_runs(predictions)
        found = read_runs(runs) if runs else read_results(predictions, data)
        limits = limits_of(found.limit)
        valid = _valid(found)
        rows, without = (
            {limit: scores(some, found.clusters, limit, form, noun=found.noun) for limit in limits if some}
            for some in (found.trials, valid)
        )
        figures: list[Figure] = []
        for limit in limits:
            figures += _figures(limit, AVERAGE, rows, without, found, form)
            figures.append(_shuffled(limit, found.trials, valid, form))
        platforms = [name for name in next(iter(rows.values())) if name not in (AVERAGE, "")]
        parts = tuple(
            one for limit in limits for name in platforms for one in _figures(limit, name, rows, without, found, form)
        )
        words = f"{variant}: {WORDS[form]}, tasks in the order of their ids"
        notes = (words, *_longer(found, limits, form), *_notes(found, limits), *found.notes)
        table = by_platform(rows)
        return Scored(self.name, variant, tuple(figures), (table,), (), found.missing, found.extra, notes, parts)


class MMBenchL4(MMBenchL3):
    """Level 4, tasks across applications; the same rules."""

    name = "mmbench-l4"


def limits_of(own: int | None) -> tuple[int, ...]:
    """The paper's limits at which attempts with their own limit can be scored; their own limit if it is below 50."""
    below = [limit for limit in LIMITS if own is None or limit <= own]
    return tuple(dict.fromkeys((*below, own) if own is not None and own < max(LIMITS) else below))


def by_platform(rows: dict[int, dict[str, Scores]]) -> Table:
    """Tables 3 and 5: every figure by platform and on average."""
    first = next(iter(rows.values()))
    columns = ("platform", "tasks", "void", *(f"{name}@{limit}" for limit in rows for name in NAMES))
    cells = tuple(
        (
            platform or "(not told)",
            str(row.tasks),
            str(row.void),
            *(_text(name, found[platform].figures[name]) for found in rows.values() for name in NAMES),
        )
        for platform, row in first.items()
    )
    return Table(columns, cells, (f"{AVERAGE}: platforms weighted by tasks, as in table 3; SR, EQA and EQ2 in %",))


def _text(name: str, interval: Interval | None) -> str:
    if interval is None:
        return "—"
    return interval.text(2, 1.0) if name == "EQ1" else interval.text()


def _figures(
    limit: int,
    platform: str,
    rows: Mapping[int, Mapping[str, Scores]],
    without: Mapping[int, Mapping[str, Scores]],
    found: Results,
    form: Form,
) -> Iterator[Figure]:
    """The four figures at a limit, of one platform ("SR@15 linux") or on average ("SR@15").

    Only SR has items: what EQA counts of a task depends on all that come before it.
    """
    row, valid = rows[limit][platform], without.get(limit, {}).get(platform)
    suffix = "" if platform == AVERAGE else f" {platform}"
    for name in NAMES:
        scale, digits = (1.0, 2) if name == "EQ1" else (100.0, 1)
        yield Figure(
            f"{name}@{limit}{suffix}",
            row.figures[name],
            row.tasks,
            "tasks",
            row.void,
            valid.figures[name] if valid else None,
            scale,
            digits,
            tuple(_items(found, limit, platform, form)) if name == "SR" else (),
            noun=found.noun,
        )


def _items(found: Results, limit: int, platform: str, form: Form) -> Iterator[Item]:
    """One a task, with its trials together."""
    solved: dict[str, list[Attempt]] = {}
    for trial in found.trials:
        for one in limit_attempts(trial, limit, form):
            if platform in (AVERAGE, one.platform):
                solved.setdefault(one.task, []).append(one)
    for task, attempts in sorted(solved.items()):
        cluster = f"{attempts[0].platform}/{found.clusters[task]}"
        yield Item(task, cluster, float(sum(one.solved for one in attempts)), float(len(attempts)))


def _shuffled(
    limit: int, trials: Sequence[Sequence[Attempt]], valid: Sequence[Sequence[Attempt]] | None, form: Form
) -> Figure:
    """EQA's mean over random orders, which shows how much the order of ids affects the figure."""
    void = sum(one.void for trial in trials for one in trial)
    without = _any_order(limit, valid, form) if valid else None
    return Figure(f"EQA@{limit}, any order", _any_order(limit, trials, form), len(trials[0]), "tasks", void, without)


def _any_order(limit: int, trials: Sequence[Sequence[Attempt]], form: Form) -> Interval:
    means = []
    for trial in trials:
        rows = {}
        for platform in {one.platform for one in trial}:
            own = limit_attempts([one for one in trial if one.platform == platform], limit, form)
            rows[platform] = PlatformRow(len(own), 0, 0.0, eqa_shuffled(own, limit, form, ORDERS) or 0.0)
        means.append(average(rows).eqa)
    count = len(trials[0])
    method = f"none, as it is a mean over {ORDERS:,} seeded orders"
    return Interval(math.fsum(means) / len(means), None, None, LEVEL, method, count, count)


def _valid(found: Results) -> list[list[Attempt]] | None:
    """The trials without void attempts; None if none is void, or a trial has no attempts left."""
    if not any(one.void for trial in found.trials for one in trial):
        return None
    left = [[one for one in trial if not one.void] for trial in found.trials]
    return left if all(left) else None


def _longer(found: Results, limits: Sequence[int], form: Form) -> Iterator[str]:
    """A note on attempts longer than the largest scored limit."""
    last = max(limits)
    if longer := sum(one.steps > last for trial in found.trials for one in trial):
        kept = form == "release" and last >= UNCUT
        becomes = "keep their steps and their success, as released" if kept else f"fail at {last}"
        yield f"{longer} attempts took more than {last} steps: at {last} they {becomes}"


def _notes(found: Results, limits: Sequence[int]) -> Iterator[str]:
    times = resamples_of(found.trials)
    yield f"intervals: {times:,} resamples of whole tasks within their platform, seed 0, the order of ids kept"
    own = found.limit
    if own is not None and own < max(LIMITS):
        at = " and ".join(map(str, limits))
        yield f"no score at {max(LIMITS)}: some attempts were allowed but {own} steps; scores are at {at}"
    if found.missing:
        yield "tasks without a result cost every step there is"
