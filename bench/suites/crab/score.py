"""Scores CRAB by its own rules, from its released log or one of our runs (CRAB §4.3, table 2)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.scoring.data_runs import Played, load_played
from omnipilot.bench.scoring.score import Figure, Item, Scored
from omnipilot.bench.stats.summary import EpisodeOutcome, Headline, headline
from omnipilot.bench.suites.crab.data import GET, CrabTask, load_tasks, version_of
from omnipilot.bench.suites.crab.log import CrabEpisode, of_run, read_log, systems, unread
from omnipilot.bench.suites.crab.released_statistics import statistics_table
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.figures import efficiency
from omnipilot.envs import ConfigError

Value = Callable[[CrabEpisode], float]
ENDINGS = ("FC", "RSL", "IA")
"""How episodes fail: by a false completion, at the turn limit, by an invalid action."""


class Crab:
    """CRAB's figures: SR, CR, EE, CE, and the shares of FC, RSL and IA.

    Variants differ in EE: the paper has CR/A, the released code CR/(A+1), counting the observation before the first
    action. For a run, the released variant also has its evaluator's six statistics, as its log would.
    """

    name = "crab"
    variants = ("paper", "release")
    format = "main_log.csv as the released experiment loop writes it, or a run directory of the suite crab"

    def score(self, data: str, predictions: Path, variant: str) -> Scored:
        """Score a log or a run.

        Args:
            data: the folder of task files, which defines the tasks and the sub-tasks they share. "" to use the tasks
                that were played; CRAB's 16 handmade tasks are in no file.

        Raises:
            ConfigError: there is no such data, log or run.
        """
        run = load_played(
            predictions,
            ("crab", "omnipilot.bench.suites.crab.suite:CrabSuite", "omnipilot.bench.suites.crab:CrabSuite"),
        )
        tasks, attempts, bad, notes = _read(data, predictions, run)
        extra = sorted({one.task for one in attempts} - set(tasks)) if tasks else []
        known = [_known(one, tasks.get(one.task)) for one in attempts if one.task not in extra]
        groups = systems(known) or {"": []}
        whole: dict[str, list[CrabEpisode]] = {}
        figures: list[Figure] = []
        missing: list[str] = []
        for system, mine in groups.items():
            suffix = f" ({system})" if len(groups) > 1 else ""
            left = [task for id, task in tasks.items() if id not in {one.task for one in mine}]
            missing += [task.id + suffix for task in left]
            whole[system] = [*mine, *(_nothing(system, task) for task in left)]
            figures += [replace(one, name=one.name + suffix) for one in figures_of(whole[system], variant)]
        released = statistics_table(run) if run is not None and variant == "release" else None
        every_table = (_platforms(whole), _reasons(groups), released)
        tables = tuple(table for table in every_table if table is not None and table.rows)
        told = (*_notes(known, variant), *notes)
        parts = () if len(whole) > 1 else platform_figures(next(iter(whole.values())), variant)
        return Scored(self.name, variant, tuple(figures), tables, bad, tuple(missing), tuple(extra), told, tuple(parts))


def _read(
    data: str, predictions: Path, run: Played | None
) -> tuple[Mapping[str, CrabTask], Sequence[CrabEpisode], tuple[Bad, ...], Sequence[str]]:
    """The tasks to count (none if unknown), their outcomes, bad records, and notes."""
    tasks: dict[str, CrabTask] = {}
    bad: tuple[Bad, ...] = ()
    if data:
        source = Source.open(data, GET)
        loaded = load_tasks(source)
        tasks, bad = {task.id: task for task in loaded.items}, loaded.bad
        if not tasks:
            none = f"; none of its {len(bad)} files can be read as one, the first: {bad[0]}" if bad else ""
            raise ConfigError(f"{source.root} contains no CRAB task{none}. {GET}")
        if run is not None:
            run.of(version_of(source))
            bad = run.bad(data, bad)
    if run is None:
        log = read_log(predictions)
        if not log.items:
            first = f"; the first: {log.bad[0]}" if log.bad else ", for it is empty"
            raise ConfigError(f"{predictions} has no readable row{first}. Expected: {Crab.format}")
        return tasks, log.items, bad, [*log.notes, *unread(log.bad)]
    planned = {id: task for id, task in tasks.items() if id in run.survey.tasks}
    return planned, of_run(run), bad, run.notes(tasks)


def figures_of(attempts: Sequence[CrabEpisode], variant: str) -> list[Figure]:
    """The figures of one system; a void episode counts as zero in each."""

    def by_action(one: CrabEpisode) -> float:
        return efficiency(one.completion, one.actions, "release" if variant == "release" else "paper")

    def ended(how: str) -> Value:
        return lambda one: float(one.ending == how)

    # Where all are void they count as zero, as in every figure.
    lost = bool(attempts) and all(one.void for one in attempts)
    acted = lost or any(one.actions for one in attempts)
    priced = [one for one in attempts if one.tokens is not None or one.void]
    found = [
        _figure("SR", attempts, lambda one: float(one.success)),
        _figure("CR", attempts, lambda one: one.completion),
        _figure("EE", attempts if acted else [], by_action, attempts),
        _figure(
            "CE",
            priced if lost or any(one.tokens for one in attempts) else [],
            lambda one: one.completion / one.tokens if one.tokens else 0.0,
            attempts,
            digits=6,
        ),
    ]
    return found + [_figure(name, attempts, ended(name)) for name in ENDINGS]


def platform_figures(attempts: Sequence[CrabEpisode], variant: str) -> list[Figure]:
    """The figures of the tasks of each platform, as "SR cross"."""
    platforms = sorted({one.platform for one in attempts if one.platform})
    return [
        replace(figure, name=f"{figure.name} {platform}")
        for platform in platforms
        for figure in figures_of([one for one in attempts if one.platform == platform], variant)
    ]


def _figure(
    name: str, attempts: Sequence[CrabEpisode], value: Value, every: Sequence[CrabEpisode] = (), digits: int = 1
) -> Figure:
    """A mean over the attempts that have the figure; `every`: all attempts, for the note if none has it."""
    # Completion by tokens is no share: it has no bound that an interval could be taken from.
    found = _headline(attempts, value, math.inf if name == "CE" else 1.0)
    if found is None:
        return Figure(name, None, len(every), "episodes", sum(one.void for one in every), digits=digits)
    most = math.inf if name == "CE" else 1.0
    return Figure(
        name,
        found.all,
        len(attempts),
        "episodes",
        found.void,
        found.valid,
        digits=digits,
        items=tuple(
            Item(f"{one.task}#{one.instance}", one.task, one.value, 1.0, one.templates)
            for one in _outcomes(attempts, value, most)
        ),
        better="lower" if name in ENDINGS else "higher",
        most=most,
        noun="tasks",
    )


def _headline(attempts: Sequence[CrabEpisode], value: Value, most: float = 1.0) -> Headline | None:
    """The mean over tasks of each task's mean over trials, so that tasks with more trials do not weigh more."""
    if not attempts:
        return None
    valid = [one for one in attempts if not one.void]
    every = headline(_outcomes(attempts, value, most)).all
    if len(valid) == len(attempts):
        return Headline(every, every, 0)
    rest = headline(_outcomes(valid, value, most)).all if valid else None
    return Headline(every, rest, len(attempts) - len(valid))


def _outcomes(attempts: Sequence[CrabEpisode], value: Value, most: float) -> list[EpisodeOutcome]:
    """One outcome per task and instance: the mean over its trials, with void ones counted as zero."""
    trials: dict[tuple[str, int], list[CrabEpisode]] = {}
    for one in attempts:
        trials.setdefault((one.task, one.instance), []).append(one)
    return [
        EpisodeOutcome(
            task, instance, 0, fmean(0.0 if one.void else value(one) for one in mine), False, mine[0].templates, most
        )
        for (task, instance), mine in trials.items()
    ]


def _known(one: CrabEpisode, task: CrabTask | None) -> CrabEpisode:
    return one if task is None else replace(one, templates=task.templates, platform=one.platform or task.folder)


def _nothing(system: str, task: CrabTask) -> CrabEpisode:
    return CrabEpisode(system, task.id, 0, 0, 0.0, 0, None, "missing", "void", task.templates, task.folder)


def _platforms(groups: dict[str, list[CrabEpisode]]) -> Table:
    """SR and CR by platform (CRAB, figure 3); tasks that were not played count as void on their platform."""
    rows = []
    for system, mine in groups.items():
        for platform in sorted({one.platform for one in mine if one.platform}):
            here = [one for one in mine if one.platform == platform]
            solved, completed = _headline(here, lambda o: float(o.success)), _headline(here, lambda o: o.completion)
            assert solved is not None and completed is not None
            count = f"{len(here)}", f"{solved.void}"
            rows.append((system, platform, solved.all.text(), completed.all.text(), *count))
    return Table(("system", "platform", "SR %", "CR %", "episodes", "void"), tuple(rows), labels=2)


def _reasons(groups: dict[str, list[CrabEpisode]]) -> Table:
    rows = []
    for system, mine in groups.items():
        counts = Counter((one.reason, "success" if one.success else one.ending) for one in mine)
        rows += [(system, reason, ending, str(count)) for (reason, ending), count in sorted(counts.items())]
    return Table(("system", "reason as logged", "counts as", "episodes"), tuple(rows), labels=3)


def _notes(attempts: Sequence[CrabEpisode], variant: str) -> tuple[str, ...]:
    notes = ["SR, CR, EE and CE: means over tasks of the mean over each one's episodes, times 100"]
    notes.append("CE — where no tokens are known")
    notes.append(f"EE: {'CR/A' if variant == 'paper' else 'CR/(A+1)'}; A: actions that an environment carried out")
    notes.append("FC, RSL, IA: shares, taken as SR is; with SR and the void ones they add up to 100")
    if hollow := sum(one.hollow for one in attempts):
        notes.append(f"{hollow} episodes ended as a success with completeness below 1; they count as FC")
    unclear = Counter(one.reason for one in attempts if one.reason in ("agent_exception", "evaluator_exception"))
    for reason, count in sorted(unclear.items()):
        notes.append(f"{count} ended by {reason}: the log does not tell a lost model or device from the agent's fault")
    if odd := sum(one.odd for one in attempts):
        notes.append(f"{odd} rows whose completeness_per_action is not completeness/(A+1), with A from total_steps")
    unpriced = sum(one.tokens is None for one in attempts)
    if 0 < unpriced < len(attempts):
        notes.append(f"{unpriced} episodes without tokens are left out of CE")
    return tuple(notes)
