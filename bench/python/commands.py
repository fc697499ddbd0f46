"""`run`, `sweep`, `grid`, `ablate`, `compare` and `load_runs`: the commands of these names, with records.

Keyword arguments are named as the options of the commands, with `_` for `-`: `run(suite="duet", planner="rules",
turns=10, out="runs/x")`. What is heavy is imported when a function is called.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from omnipilot.bench.experiments.sweep import SweepRequest
    from omnipilot.bench.journal.run import Run
    from omnipilot.bench.own.written_task import WrittenTask
    from omnipilot.bench.python.compared import ComparedRuns, ComparisonRecord
    from omnipilot.bench.python.records import LoadedRuns, RunRecord
    from omnipilot.bench.report.evaluation.evaluation import Evaluation
    from omnipilot.bench.run.execution import OnProgress
    from omnipilot.bench.tasks.task import Suite

Folder: TypeAlias = "str | PathLike[str]"
"""A run directory, or a file."""
OwnSuite: TypeAlias = (
    "str | PathLike[str] | type[Suite] | WrittenTask | Sequence[WrittenTask] | Mapping[str, Any] | None"
)
"""What `suite` may be."""
PAGE = "report.html"


def run(
    suite: OwnSuite = None,
    *,
    config: Folder | None = None,
    option: Sequence[str] = (),
    rerun_void: bool = False,
    progress: bool = True,
    **settings: Any,
) -> RunRecord:
    """Run an agent on a suite, or resume an interrupted run; what is finished in `out` is not played again.

    As `omnipilot run` does, it writes `report.html` into `out`.

    Args:
        suite: its name, a file of tasks (.py), a class of your own; or a task that `omnipilot.bench.task` made, or
            several on one world. Those of a notebook or a script play in this process, as do parts that are defined
            there.
        config: a TOML file, which `settings` override. option: of parts, such as "planner.temperature=0.2".
        rerun_void: play void episodes again. progress: whether lines on standard error say how it goes.
        settings: as `omnipilot run --help` lists them. A part of your own may be given as its class.

    Raises:
        ConfigError: there is no such setting, or the run is impossible; the message says what is wrong.
        RunFailed: a bug in an agent, an environment or a suite.
    """
    from omnipilot.bench.journal.load_runs import load_run
    from omnipilot.bench.python.given import read_given
    from omnipilot.bench.python.records import RunRecord
    from omnipilot.bench.registry import loading_suites_once
    from omnipilot.bench.report.evaluation.runs import tables_of_runs
    from omnipilot.bench.run.config import resolve_settings
    from omnipilot.bench.run.execution import RunExecution
    from omnipilot.bench.run.prepare import prepare_run
    from omnipilot.bench.run.preview import dry_run

    with loading_suites_once():
        asked = read_given(suite, settings)
        given = asked.here(resolve_settings(_path(config), asked.settings(), tuple(option)))
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
        how = RunExecution.of(given, [ready.out], _progress(progress), rerun_void)
        known = {}
        if given.calibrate:
            from omnipilot.bench.cli.commands.calibrate import calibration_of

            known = calibration_of(given, ready.spec)
        done = ready.play(how, known)
        loaded = load_run(done.folder)
        if done.episodes and not done.interrupted:
            page = tables_of_runs([loaded]).write([done.folder], done.folder / PAGE)
            _say([f"report: {page}"] if progress else [])
        stopped = done.interrupted or done.over_budget or done.given_up
        return RunRecord.of(loaded, stopped)


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
    suite: OwnSuite = None,
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

    As `omnipilot sweep` does, it writes tables, a figure and `report.html` into `out`.

    Args:
        suite, config, option, rerun_void, progress: as in `run`.
        against: words of the cell to compare with; the first.
        level: confidence level. power: for which the smallest detectable difference is given.
        figures: names of further figures.
        settings: as `omnipilot sweep --help` lists them; a list of values for each setting that is varied.

    Raises:
        ConfigError: there is no such setting, or a cell is impossible.
    """
    from omnipilot.bench.cli.commands.sweep import check_cells, chosen_specs
    from omnipilot.bench.experiments.cells import Stopped, run_due
    from omnipilot.bench.experiments.sweep import specs_of, sweep_of
    from omnipilot.bench.experiments.sweep_results import rows_of
    from omnipilot.bench.python.compared import ComparedRun, ComparedRuns
    from omnipilot.bench.python.records import RunRecord
    from omnipilot.bench.registry import loading_suites_once
    from omnipilot.bench.report.evaluation.sweep import evaluate_sweep
    from omnipilot.bench.run.execution import RunExecution
    from omnipilot.bench.scoring.run_figures import check_figures
    from omnipilot.bench.stats.intervals import check_level

    for share in (level, power):
        check_level(share)
    with loading_suites_once():
        request = _asked("sweep", suite, settings, config, against)
        specs, out = chosen_specs(request, specs_of(request, tuple(option)), "sweep")
        found = sweep_of(specs, out, request.against)
        check_figures(figures, found.cells[0].spec.suite.name)
        due = check_cells(found.cells, found.combinations, request.settings, rerun_void)
        found.write(out)
        try:
            folders = [one.cell.folder for one in due]
            runs = run_due(due, RunExecution.of(request.settings, folders, _progress(progress), rerun_void))
        except Stopped as early:
            return ComparedRuns.of(early.runs, level, interrupted=True)
        if not all(one.episodes for one in runs):
            # A shard may have no episode of a cell.
            return ComparedRuns.of(runs, level)
        rows = rows_of(runs, found.reference, level, power, figures=tuple(figures))
        evaluation = evaluate_sweep(found, runs, rows, level, power)
        _written(evaluation, out, progress)
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
            evaluation.said.text,
            tables=evaluation.printed,
        )


def grid(
    suite: OwnSuite = None,
    *,
    config: Folder | None = None,
    option: Sequence[str] = (),
    rerun_void: bool = False,
    level: float = 0.95,
    figures: Sequence[str] = (),
    progress: bool = True,
    **settings: Any,
) -> ComparedRuns:
    """Run every planner with every grounder, as far as it is missing, and say what either part is worth.

    As `omnipilot grid` does, it writes tables, a figure and `report.html` into `out`.

    Args:
        settings: as `omnipilot grid --help` lists them; lists for `planner` and `grounder`.
        others: as in `sweep`.

    Returns:
        A row for each cell, and the tables with both margins.

    Raises:
        ConfigError: there is no such setting, nothing to cross, or a cell is impossible.
    """
    from omnipilot.bench.cli.commands.sweep import check_cells, chosen_specs
    from omnipilot.bench.experiments.cells import Stopped, run_due
    from omnipilot.bench.experiments.grid import grid_of, grid_specs
    from omnipilot.bench.experiments.grid_results import grid_results
    from omnipilot.bench.python.compared import ComparedRuns
    from omnipilot.bench.registry import loading_suites_once
    from omnipilot.bench.report.evaluation.grid import evaluate_grid
    from omnipilot.bench.run.execution import RunExecution
    from omnipilot.bench.scoring.run_figures import check_figures
    from omnipilot.bench.stats.intervals import check_level

    check_level(level)
    with loading_suites_once():
        request = _asked("grid", suite, settings, config)
        specs, out = chosen_specs(request, grid_specs(request, tuple(option)), "grid")
        found = grid_of(specs, out)
        check_figures(figures, found.cells[0].spec.suite.name)
        due = check_cells(found.cells, len(specs), request.settings, rerun_void)
        found.write(out)
        try:
            folders = [one.cell.folder for one in due]
            runs = run_due(due, RunExecution.of(request.settings, folders, _progress(progress), rerun_void))
        except Stopped as early:
            return ComparedRuns.of(early.runs, level, interrupted=True)
        if not all(one.episodes for one in runs):
            return ComparedRuns.of(runs, level)
        results = grid_results(found.planners, found.grounders, runs, level, figures=tuple(figures))
        evaluation = evaluate_grid(found, runs, results)
        _written(evaluation, out, progress)
        return ComparedRuns.of(runs, level, evaluation.said.text, evaluation.printed)


def ablate(
    suite: OwnSuite = None,
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

    As `omnipilot ablate` does, it writes tables, a figure and `report.html` into `out`.

    Args:
        conditions: names or kinds of conditions; all by default. by: a tag by which tasks are grouped in a further
            table.
        others: as in `sweep`.

    Raises:
        ConfigError: there is no such setting or condition, or the full set is impossible.
    """
    from omnipilot.bench.cli.commands.ablate import AblationOptions, ask_ablation, play_ablation
    from omnipilot.bench.experiments.ablation_results import ALL
    from omnipilot.bench.experiments.cells import Stopped
    from omnipilot.bench.python.compared import ComparedRun, ComparedRuns
    from omnipilot.bench.python.given import read_given
    from omnipilot.bench.python.records import RunRecord
    from omnipilot.bench.registry import loading_suites_once
    from omnipilot.bench.report.evaluation.ablation import evaluate_ablation
    from omnipilot.bench.run.config import resolve_settings
    from omnipilot.bench.run.execution import RunExecution

    how = AblationOptions(tuple(conditions), by, False, rerun_void, level, power, further=tuple(figures))
    with loading_suites_once():
        asked = read_given(suite, settings)
        given = asked.here(resolve_settings(_path(config), asked.settings(), tuple(option)))
        request = ask_ablation(given, how)
        try:
            execution = RunExecution.of(given, request.folders, _progress(progress), rerun_void)
            played = play_ablation(request, execution, how)
        except Stopped as early:
            return ComparedRuns.of(early.runs, level, interrupted=True)
        evaluation = evaluate_ablation(played, level, power, bool(by), groups_printed=True)
        _written(evaluation, request.out, progress)
        runs: Mapping[str, Run | str] = {played.full.name: played.full, **played.found}
        rows = []
        for row in played.rows:
            if row.group == ALL:
                one = runs[row.condition]
                record = None if isinstance(one, str) else RunRecord.of(one, level=level)
                more = (row.reference, row.difference, row.adjusted, row.pairs, row.tasks, row.why)
                rows.append(ComparedRun(row.condition, record, *more))
        return ComparedRuns(tuple(rows), evaluation.said.text, tables=evaluation.printed)


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
    out: Folder | None = None,
) -> ComparisonRecord:
    """Compare run B with run A, paired by task and instance; or one run under two budgets of turns, as "15,50".

    Args:
        a, b: run directories, or runs that were loaded. instance, trial: the only one that is compared.
        level, power, resamples, seed, figures: as for `omnipilot compare`.
        out: a folder for the tables, the figure and a page with the episodes of both; None for none.

    Raises:
        ConfigError: the suites differ, the runs share nothing, or one run is compared with itself.
    """
    from omnipilot.bench.experiments.budget import read_budgets
    from omnipilot.bench.experiments.comparison import compare as compare_runs
    from omnipilot.bench.experiments.comparison import narrow
    from omnipilot.bench.python.compared import ComparisonRecord
    from omnipilot.bench.report.evaluation.comparison import evaluate_comparison, write_comparison_page
    from omnipilot.envs import ConfigError

    budgets = None if turns is None else read_budgets(turns)
    both = [_loaded(one) for one in (a, a if b is None else b)]
    ours, theirs = (narrow(one, instance, trial) for one in both)
    if budgets is None and ours.folder == theirs.folder is not None:
        raise ConfigError(f"{ours.name} is one run; give two different runs, or two budgets such as turns='15,50'")
    paths = list(dict.fromkeys(one.folder for one in both if one.folder is not None))
    if ours.name == theirs.name and len(paths) == 2:
        ours, theirs = (replace(one, name=str(one.folder)) for one in (ours, theirs))
    found = compare_runs(ours, theirs, level, power, resamples, seed, budgets, tuple(figures))
    evaluation = evaluate_comparison(found, ours, theirs, paths)
    if out is not None:
        write_comparison_page(evaluation, Path(out), turns)
    said, tables = evaluation.said.text, evaluation.printed
    return ComparisonRecord(found.names, found.pairs, found.tasks, found.rows, found.flips, said, found, tables)


def _loaded(one: Folder | RunRecord | Run) -> Run:
    from omnipilot.bench.journal.load_runs import load_run
    from omnipilot.bench.journal.run import Run
    from omnipilot.bench.python.records import RunRecord

    if isinstance(one, RunRecord):
        return one.run
    return one if isinstance(one, Run) else load_run(Path(one))


def _asked(
    command: str, suite: OwnSuite, settings: Mapping[str, Any], config: Folder | None, against: str = ""
) -> SweepRequest:
    """What is asked for of `sweep` or `grid`."""
    from omnipilot.bench.experiments.sweep import sweep_request
    from omnipilot.bench.python.given import read_given
    from omnipilot.envs.schema.read_toml import read_toml

    asked = read_given(suite, settings, command)
    file = read_toml(Path(config)) if config else {}
    found = sweep_request(file, asked.lists, asked.settings(), against, str(config or ""), command)
    return replace(found, settings=asked.here(found.settings))


def _path(file: Folder | None) -> Path | None:
    return None if file is None else Path(file)


def _progress(wanted: bool) -> OnProgress:
    from omnipilot.bench.run.execution import tell_nobody
    from omnipilot.bench.run.progress import Progress

    return Progress(sys.stderr) if wanted else tell_nobody


def _written(evaluation: Evaluation, out: Path, progress: bool) -> None:
    lines = evaluation.write(out)
    _say(lines if progress else [])


def _say(notes: Iterable[str]) -> None:
    for note in notes:
        sys.stderr.write(f"{note}\n")
