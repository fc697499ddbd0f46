"""`run`, `sweep`, `ablate`, `compare` and `load_runs`: as the commands of these names, with records for results.

Keyword arguments are named as the options of the commands, with `_` for `-`: `run(suite="duet", planner="rules",
turns=10, out="runs/x")`. What is heavy is imported when a function is called.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from omnipilot.bench.journal.run import Run
    from omnipilot.bench.python.compared import ComparedRuns, ComparisonRecord
    from omnipilot.bench.python.records import LoadedRuns, RunRecord
    from omnipilot.bench.run.execution import OnProgress
    from omnipilot.bench.settings import RunSettings

Folder: TypeAlias = "str | PathLike[str]"
"""A run directory, or a file."""


def run(
    *,
    config: Folder | None = None,
    option: Sequence[str] = (),
    rerun_void: bool = False,
    progress: bool = True,
    **settings: Any,
) -> RunRecord:
    """Run an agent on a suite, or resume an interrupted run; what is finished in `out` is not played again.

    Args:
        config: a TOML file, which `settings` override. option: of parts, such as "planner.temperature=0.2".
        rerun_void: play void episodes again. progress: whether a line on standard error says how it goes.
        settings: as `omnipilot run --help` lists them. A part of your own may be given as its class.

    Raises:
        ConfigError: there is no such setting, or the run is impossible; the message says what is wrong.
        RunFailed: a bug in an agent, an environment or a suite.
    """
    from omnipilot.bench.journal.load_runs import load_run
    from omnipilot.bench.python.records import RunRecord
    from omnipilot.bench.registry import loading_suites_once
    from omnipilot.bench.run.config import resolve_settings
    from omnipilot.bench.run.execution import RunExecution
    from omnipilot.bench.run.prepare import prepare_run
    from omnipilot.bench.run.preview import dry_run

    with loading_suites_once():
        given = resolve_settings(_path(config), _settings(settings), tuple(option))
        ready = prepare_run(given)
        _say(ready.notes)
        if ready.mistakes.found:
            with ready.mistakes.noting():
                dry_run(
                    ready.spec,
                    ready.out,
                    given.workers,
                    rerun_void,
                    given.budget,
                    ready.mistakes,
                    ready.agent,
                    given.part,
                )
            ready.mistakes.refuse()
        done = ready.play(RunExecution.of(given, [ready.out], _progress(progress), rerun_void))
        stopped = done.interrupted or done.over_budget or done.given_up
        return RunRecord.of(load_run(done.folder), stopped)


def load_runs(folders: Folder | Iterable[Folder]) -> LoadedRuns:
    """The runs in directories, and directly below them, finished or not.

    Raises:
        ConfigError: there is no run in one of them.
    """
    from omnipilot.bench.journal.load_runs import find_runs, load_run
    from omnipilot.bench.python.records import LoadedRuns, RunRecord

    paths = [folders] if isinstance(folders, str | PathLike) else list(folders)
    return LoadedRuns(tuple(RunRecord.of(load_run(path)) for path in find_runs([Path(one) for one in paths])))


def sweep(
    *,
    config: Folder | None = None,
    option: Sequence[str] = (),
    against: str = "",
    rerun_void: bool = False,
    level: float = 0.95,
    power: float = 0.8,
    figures: Sequence[str] = (),
    progress: bool = True,
    **settings: Any,
) -> ComparedRuns:
    """Run every combination of the values given, as far as it is missing, and compare the results.

    Args:
        config, option, rerun_void, progress: as in `run`. against: words of the cell to compare with; the first.
        level: confidence level. power: for which the smallest detectable difference is given.
        figures: names of further figures.
        settings: as `omnipilot sweep --help` lists them; a list of values for each setting that is varied.

    Raises:
        ConfigError: there is no such setting, or a cell is impossible.
    """
    from omnipilot.bench.cli.commands.sweep import check_cells, chosen_specs
    from omnipilot.bench.experiments.cells import Stopped, run_due
    from omnipilot.bench.experiments.sweep import specs_of, sweep_of, sweep_request
    from omnipilot.bench.experiments.sweep_results import rows_of
    from omnipilot.bench.python.compared import ComparedRun, ComparedRuns
    from omnipilot.bench.python.records import RunRecord
    from omnipilot.bench.registry import loading_suites_once
    from omnipilot.bench.report.conclusions import conclude_sweep
    from omnipilot.bench.run.execution import RunExecution
    from omnipilot.bench.run.task_selection import tasks_available
    from omnipilot.bench.scoring.run_figures import check_figures
    from omnipilot.bench.settings import varied_by
    from omnipilot.bench.stats.intervals import check_level
    from omnipilot.envs.schema.read_toml import read_toml

    for share in (level, power):
        check_level(share)
    with loading_suites_once():
        varied = varied_by("sweep")
        lists = {
            name: [_class_name(one) for one in value]
            for name, value in settings.items()
            if name in varied and isinstance(value, list | tuple)
        }
        shared = {name: value for name, value in settings.items() if name not in lists}
        file = read_toml(Path(config)) if config else {}
        asked = sweep_request(file, lists, _settings(shared), against, str(config or ""))
        specs, out = chosen_specs(asked, specs_of(asked, tuple(option)), "sweep")
        found = sweep_of(specs, out, asked.against)
        check_figures(figures, found.cells[0].spec.suite.name)
        given = asked.settings
        due = check_cells(found.cells, found.combinations, given, rerun_void)
        found.write(out)
        stopped = False
        try:
            folders = [one.cell.folder for one in due]
            runs = run_due(due, RunExecution.of(given, folders, _progress(progress), rerun_void))
        except Stopped as early:
            runs, stopped = early.runs, True
        rows = rows_of(runs, found.reference, level, power, figures=tuple(figures))
        said = conclude_sweep(rows, level, power, tasks_available(runs[0].spec)).text if not stopped else ""
        return ComparedRuns(
            tuple(
                ComparedRun(
                    cell.label,
                    RunRecord.of(row.run, level=level),
                    row.reference,
                    row.difference,
                    row.adjusted,
                    row.pairs,
                    row.tasks,
                )
                for cell, row in zip(found.cells, rows, strict=True)
            ),
            said,
            stopped,
        )


def ablate(
    *,
    config: Folder | None = None,
    option: Sequence[str] = (),
    conditions: Sequence[str] = (),
    by: str = "",
    rerun_void: bool = False,
    level: float = 0.95,
    power: float = 0.8,
    figures: Sequence[str] = (),
    progress: bool = True,
    **settings: Any,
) -> ComparedRuns:
    """Measure what each modality is worth: run an agent with all of them, without each, with each alone, and with audio
    and video replaced. Only what is missing is run.

    Args:
        conditions: names or kinds of conditions; all by default. by: a tag by which tasks may be grouped.
        others: as in `sweep`.

    Raises:
        ConfigError: there is no such setting or condition, or the full set is impossible.
    """
    from omnipilot.bench.cli.commands.ablate import AblationOptions, ask_ablation, play_ablation
    from omnipilot.bench.experiments.ablation_results import ALL
    from omnipilot.bench.experiments.cells import Stopped
    from omnipilot.bench.python.compared import ComparedRun, ComparedRuns
    from omnipilot.bench.python.records import RunRecord
    from omnipilot.bench.registry import loading_suites_once
    from omnipilot.bench.report.conclusions import conclude_ablation
    from omnipilot.bench.run.config import resolve_settings
    from omnipilot.bench.run.execution import RunExecution
    from omnipilot.bench.run.labels import AXES
    from omnipilot.bench.run.task_selection import tasks_available

    how = AblationOptions(tuple(conditions), by, False, rerun_void, level, power, further=tuple(figures))
    with loading_suites_once():
        given = resolve_settings(_path(config), _settings(settings), tuple(option))
        asked = ask_ablation(given, how)
        try:
            played = play_ablation(asked, RunExecution.of(given, asked.folders, _progress(progress), rerun_void), how)
        except Stopped as early:
            kept = tuple(ComparedRun(one.name, RunRecord.of(one, level=level)) for one in early.runs)
            return ComparedRuns(kept, interrupted=True)
        said = conclude_ablation(
            played.rows, AXES["planner"](asked.spec), level, power, tasks_available(asked.spec)
        ).text
        runs: Mapping[str, Run | str] = {played.full.name: played.full, **played.found}
        rows = []
        for row in played.rows:
            if row.group == ALL:
                one = runs[row.condition]
                record = None if isinstance(one, str) else RunRecord.of(one, level=level)
                more = (row.reference, row.difference, row.adjusted, row.pairs, row.tasks, row.why)
                rows.append(ComparedRun(row.condition, record, *more))
        return ComparedRuns(tuple(rows), said)


def compare(
    a: Folder | RunRecord | Run,
    b: Folder | RunRecord | Run | None = None,
    *,
    instance: int | None = None,
    trial: int | None = None,
    turns: str | None = None,
    level: float = 0.95,
    power: float = 0.8,
    resamples: int = 10_000,
    seed: int = 0,
    figures: Sequence[str] = (),
) -> ComparisonRecord:
    """Compare run B with run A, paired by task and instance; or one run under two budgets of turns, as "15,50".

    Args:
        a, b: run directories, or runs that were loaded. instance, trial: the only one that is compared.
        level, power, resamples, seed, figures: as for `omnipilot compare`.

    Raises:
        ConfigError: the suites differ, the runs share nothing, or one run is compared with itself.
    """
    from omnipilot.bench.experiments.budget import read_budgets
    from omnipilot.bench.experiments.comparison import compare as compare_runs
    from omnipilot.bench.experiments.comparison import narrow
    from omnipilot.bench.python.compared import ComparisonRecord
    from omnipilot.bench.report.conclusions import conclude_comparison
    from omnipilot.envs import ConfigError

    budgets = None if turns is None else read_budgets(turns)
    ours, theirs = (narrow(_loaded(one), instance, trial) for one in (a, a if b is None else b))
    if budgets is None and ours.folder == theirs.folder is not None:
        raise ConfigError(f"{ours.name} is one run; give two different runs, or two budgets such as turns='15,50'")
    found = compare_runs(ours, theirs, level, power, resamples, seed, budgets, tuple(figures))
    said = conclude_comparison(found).text
    return ComparisonRecord(found.names, found.pairs, found.tasks, found.rows, found.flips, said, found)


def _loaded(one: Folder | RunRecord | Run) -> Run:
    from omnipilot.bench.journal.load_runs import load_run
    from omnipilot.bench.journal.run import Run
    from omnipilot.bench.python.records import RunRecord

    if isinstance(one, RunRecord):
        return one.run
    return one if isinstance(one, Run) else load_run(Path(one))


def _settings(given: Mapping[str, Any]) -> RunSettings:
    """Settings from keyword arguments: limits are named as their options, parts may be classes."""
    from dataclasses import fields

    from omnipilot.bench.run.read_settings import parse_settings
    from omnipilot.bench.settings import LimitSettings

    limits = {one.name for one in fields(LimitSettings)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name in limits:
            values.setdefault("limits", {})[name] = value
        elif value is not None:
            plain = [*value] if isinstance(value, tuple) else str(value) if isinstance(value, PathLike) else value
            values[name] = _class_name(plain)
    return parse_settings(values)


def _class_name(value: Any) -> Any:
    """A class of one's own as its "module:attribute"; anything else as it is."""
    return f"{value.__module__}:{value.__qualname__}" if isinstance(value, type) else value


def _path(file: Folder | None) -> Path | None:
    return None if file is None else Path(file)


def _progress(wanted: bool) -> OnProgress:
    from omnipilot.bench.run.execution import tell_nobody
    from omnipilot.bench.run.progress import Progress

    return Progress(sys.stderr) if wanted else tell_nobody


def _say(notes: Iterable[str]) -> None:
    for note in notes:
        sys.stderr.write(f"{note}\n")
