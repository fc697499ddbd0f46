"""What the commands do, once their arguments are read."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import typer

from omnipilot.agents import Registry
from omnipilot.agents.assembly.build import AGENTS, ENVS, GROUNDERS, MEMORIES, PLANNERS, warnings
from omnipilot.agents.assembly.teams import CRITICS, LOOPS, SKILLS, TRACKERS
from omnipilot.bench.registry import POINTING, SUITES, load_suite
from omnipilot.bench.run import preset as presets
from omnipilot.bench.run.config import jobs_of, layer_settings, load_toml, merge_settings, spec_from, with_data_read
from omnipilot.bench.run.held_back_tasks import count_by_split, left_out
from omnipilot.bench.run.llm_budget import check_cost
from omnipilot.bench.run.parts import model_of, part
from omnipilot.bench.scoring.benchmark import BENCHMARKS
from omnipilot.bench.scoring.score import first_of
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.suites.crab.metrics import Variant
from omnipilot.bench.tasks.filter import select
from omnipilot.bench.tasks.task import Splits
from omnipilot.envs import ConfigError

KINDS: dict[str, Registry] = {
    "agents": AGENTS,
    "planners": PLANNERS,
    "grounders": GROUNDERS,
    "memories": MEMORIES,
    "critics": CRITICS,
    "progress": TRACKERS,
    "loops": LOOPS,
    "skills": SKILLS,
    "envs": ENVS,
    "suites": SUITES,
    "pointing": POINTING,
}


def run_command(
    config: Path | None,
    flags: Mapping[str, Any],
    limits: Mapping[str, Any],
    options: Sequence[str],
    rerun_void: bool,
    calibrate: bool = False,
    dry: bool = False,
) -> None:
    """Run, show progress, print the table, write the report.

    Args:
        dry: only say what would be run; nothing is written, and no model is asked.
    """
    file = load_toml(config) if config else {}
    preset = flags.get("preset") or file.get("preset")
    base = layer_settings(presets.load(preset).settings, file) if preset else file
    settings = merge_settings(base, {**flags, "limits": limits or None}, options)
    where = settings.get("where", ())
    spec = chosen_by(spec_from(settings), [where] if isinstance(where, str) else where)
    out = settings.get("out") or f"runs/{run_name(spec)}"
    jobs = jobs_of(settings)
    for warning in warnings(spec.agent):
        typer.echo(f"warning: {warning}", err=True)
    check_cost(spec, settings.get("waive_cost", False))
    if told := left_out(spec, settings):
        typer.echo(told, err=True)
    if dry:
        from omnipilot.bench.run.preview import dry_run

        typer.echo(dry_run(spec, Path(out), jobs, rerun_void))
        return
    from omnipilot.bench.run.progress import Progress
    from omnipilot.bench.run.runner import run

    known = {}
    if calibrate or settings.get("calibrate", False):
        from omnipilot.bench.cli.commands.models import calibrated

        known["calibration"] = calibrated(spec.agent.grounder).to_json()
    result = run(spec, Path(out), jobs, Progress(sys.stderr), rerun_void=rerun_void, known=known)
    if result.repaired:
        typer.echo(f"repaired: a torn last line was cut off the journal: {result.repaired[:120]}", err=True)
    if result.bad:
        told = first_of(result.bad, "\n  ")
        typer.echo(f"{len(result.bad)} records of the data cannot be read and are no tasks:\n  {told}", err=True)
    if result.interrupted:
        typer.echo(f"stopped; the same command goes on where it was, with what is done kept in {out}", err=True)
        raise typer.Exit(130)
    report_command([Path(out)], None, "paper")
    if spec.suite.name in BENCHMARKS.names():
        variant = spec.suite.options.get("variant")
        same = f" --variant {variant}" if variant in BENCHMARKS.make(spec.suite.name, {}).variants else ""
        typer.echo(f"by the benchmark's own rules: omnipilot score {spec.suite.name} {out}{same}")


def run_name(spec: RunSpec) -> str:
    """A directory's name for a run that was given none; the same for the same run, so that it goes on there."""
    parts = (spec.suite.name, spec.agent.system, model_of(spec.agent.planner) or spec.agent.planner.name)
    return re.sub(r"[^A-Za-z0-9.]+", "-", "-".join(parts)).strip("-.") + f"-{spec.identity[:8]}"


def chosen_by(spec: RunSpec, conditions: Sequence[str]) -> RunSpec:
    """The run with its tasks narrowed to those that meet conditions; see `select`.

    Raises:
        ConfigError: a condition that no task could meet, or none of the tasks meets all.
    """
    if not conditions:
        return spec
    from omnipilot.bench.run.runner import chosen_tasks

    suite = load_suite(spec.suite)
    infos = [info for info in suite.tasks() if not spec.tasks or info.id in chosen_tasks(spec, suite)]
    tasks = tuple(info.id for info in select(infos, conditions))
    if not tasks:
        raise ConfigError(
            f"no task has {' and '.join(conditions)}; see `omnipilot list tasks --suite {spec.suite.name}`"
        )
    return replace(spec, tasks=tasks)


def list_command(what: str, suite: str | None, where: Sequence[str] = (), options: Sequence[str] = ()) -> None:
    """Print names, or the tasks of a suite, those of all its splits."""
    if what == "tasks":
        if suite is None:
            raise ConfigError(f"whose tasks? --suite NAME, one of {', '.join(SUITES.names())}")
        loaded = load_suite(with_data_read(part(merge_settings({"suite": suite}, {}, options)["suite"], "suite")))
        infos = select(loaded.every() if isinstance(loaded, Splits) else loaded.tasks(), where)
        width = max((len(info.id) for info in infos), default=0)
        for info in infos:
            mark = "" if info.seeded else "  [ignores its seed]"
            typer.echo(f"{info.id.ljust(width)}  {'+'.join(info.envs)}  {info.description}{mark}")
        tags = dict.fromkeys(tag for info in infos for tag in info.tags)
        told = f"; --where KEY=VALUE narrows, KEY one of {', '.join(tags)}" if tags else ""
        splits = count_by_split(infos)
        apart = f" ({', '.join(f'{name} {count}' for name, count in splits.items())})" if len(splits) > 1 else ""
        typer.echo(f"{len(infos)} tasks{apart}{told}", err=True)
        return
    if where or options:
        raise ConfigError(f"--where and --option choose among tasks, not among {what}")
    if what == "presets":
        typer.echo(presets.listing())
        return
    if what == "suites":
        from omnipilot.bench.cli.catalogue import catalogue

        typer.echo("\n".join(catalogue(suite or "")))
        return
    if what not in KINDS:
        raise ConfigError(f"omnipilot list {'|'.join((*KINDS, 'presets', 'tasks'))}, not {what!r}")
    for name in KINDS[what].names():
        typer.echo(f"{name.ljust(16)}  {KINDS[what].where(name)}")
    if what == "grounders":
        from omnipilot.bench.cli.commands.models import list_families

        list_families()


def report_command(folders: Sequence[Path], out: Path | None, variant: str, intervals: bool = True) -> None:
    """Print the tables of runs and write their page."""
    from omnipilot.bench.journal.load_runs import find_runs, load_run
    from omnipilot.bench.report.headline_table import interval_table
    from omnipilot.bench.report.main_table import main_table, task_table
    from omnipilot.bench.report.page import Section, write_report
    from omnipilot.bench.report.terminal_tables import render_table

    if variant not in get_args(Variant):
        raise ConfigError(f"variant is {' or '.join(get_args(Variant))}, not {variant!r}")
    paths = find_runs(folders)
    runs = [load_run(path) for path in paths]
    main = main_table(runs, variant)  # type: ignore[arg-type]
    sure = (interval_table(runs),) if intervals else ()
    typer.echo("\n" + "".join(f"{render_table(table)}\n\n" for table in (main, task_table(runs), *sure)), nl=False)
    sections = [Section("Intervals", sure)] if sure else []
    page = write_report(paths, out or folders[0] / "report.html", main, sections)
    typer.echo(f"report: {page}")
