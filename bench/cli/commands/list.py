"""What `omnipilot list` does: print the names of one kind of thing, or the tasks of a suite."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import typer

from omnipilot.agents import Registry
from omnipilot.agents.assembly import GROUNDERS, MEMORIES, PLANNERS, READERS
from omnipilot.agents.assembly.build import AGENTS, GATES, VERB_SETS
from omnipilot.agents.assembly.teams import CHECKS, CRITICS, LOOPS, PERCEPTIONS, SKILLS, STOPS, TRACKERS
from omnipilot.bench.judges.kinds import JUDGES
from omnipilot.bench.registry import APPROVERS, POINTING, SPEECH, SUITES, USERS
from omnipilot.bench.report.figure_kinds.kind import FIGURES
from omnipilot.bench.scoring.metrics import METRICS
from omnipilot.envs import ConfigError
from omnipilot.envs.composite import kinds
from omnipilot.envs.composite.device_options import option_words

if TYPE_CHECKING:
    from omnipilot.bench.tasks.task import Suite

ENVS = Registry("kind of device", kinds.KINDS, "devices")
KINDS: dict[str, Registry] = {
    "agents": AGENTS,
    "planners": PLANNERS,
    "grounders": GROUNDERS,
    "memories": MEMORIES,
    "critics": CRITICS,
    "progress": TRACKERS,
    "loops": LOOPS,
    "stops": STOPS,
    "readers": READERS,
    "perception": PERCEPTIONS,
    "checks": CHECKS,
    "gates": GATES,
    "verbs": VERB_SETS,
    "skills": SKILLS,
    "envs": ENVS,
    "speech": SPEECH,
    "users": USERS,
    "approvers": APPROVERS,
    "suites": SUITES,
    "pointing": POINTING,
    "metrics": METRICS,
    "figures": FIGURES,
    "judges": JUDGES,
}


def list_command(
    what: str,
    suite: str | None = None,
    where: Sequence[str] = (),
    options: Sequence[str] = (),
    data: str | None = None,
    world: str | None = None,
) -> None:
    """Print names with a line about each, or the tasks of all splits of a suite.

    Args:
        what: a name of `KINDS`, "presets", "tasks", "stats" or "terms" (columns of tables). suite: whose tasks; with
            "suites", the only one to show.
        where: conditions on tasks, as KEY=VALUE. options: of the suite, as suite.KEY=VALUE. data, world: of the suite.

    Raises:
        ConfigError: no such kind, suite, condition or option.
    """
    if what in ("tasks", "stats"):
        if suite is None:
            raise ConfigError(f"`list {what}` needs --suite; available: {', '.join(SUITES.names())}")
        show = list_tasks if what == "tasks" else list_stats
        show(suite, where, options, data, world)
        return
    if where or options or data or world:
        raise ConfigError(
            f"--where, --option, --data and --world are for `list tasks` and `list stats`, not for `list {what}`"
        )
    if what == "presets":
        from omnipilot.bench.run import preset

        typer.echo(preset.listing())
    elif what == "terms":
        from omnipilot.bench.report.terms import term_lines

        typer.echo("\n".join(term_lines()))
    elif what == "suites":
        from omnipilot.bench.cli.commands.catalogue import catalogue

        typer.echo("\n".join(catalogue(suite or "")))
    elif what in KINDS:
        typer.echo("\n".join(summaries(KINDS[what])))
        if what == "grounders":
            from omnipilot.bench.cli.commands.families import list_families

            list_families()
        elif what == "planners":
            from omnipilot.bench.cli.commands.families import list_native_families

            list_native_families()
        elif what == "envs":
            typer.echo("\n".join(["", *device_options()]))
    else:
        raise ConfigError(
            f"cannot list {what!r}; choose from {', '.join((*KINDS, 'presets', 'tasks', 'stats', 'terms'))}"
        )


def summaries(registry: Registry) -> list[str]:
    """A line for each name of a registry: the name, the package it comes from if not ours, and what it is.

    What it is stands in the first line of its docstring, which is read from its source: nothing is imported.
    """
    names = registry.names()
    width = max(map(len, names), default=0)
    room = max(40, shutil.get_terminal_size((120, 24)).columns - width - 2)
    lines = []
    for name in names:
        package = registry.where(name)
        origin = "" if package == "omnipilot" else f"[{package}] "
        origin += "[knows the truth] " if name in registry.gold else ""
        text = origin + registry.summary(name)
        first, *more = textwrap.wrap(text, room) or [""]
        lines += [f"{name.ljust(width)}  {first}".rstrip(), *(" " * (width + 2) + rest for rest in more)]
    return lines


def device_options() -> Iterator[str]:
    """The options of every kind of device that a world file can name, each with what to write for it."""
    yield 'A world file (--world FILE) names them as kind = "NAME", or as kind = "module:class". Their options:'
    for name in ENVS.names():
        yield ""
        yield name
        try:
            options = option_words(kinds.load(name))
        except ConfigError as error:
            # One broken package must not hide the others.
            yield from textwrap.wrap(str(error), 100, initial_indent="  ", subsequent_indent="  ")
            continue
        width = max(map(len, options), default=0)
        yield from (f"  {option.ljust(width)}  {words}" for option, words in options.items())
        if not options:
            yield "  none"


def list_tasks(
    suite: str, where: Sequence[str], options: Sequence[str], data: str | None, world: str | None = None
) -> None:
    """Print the tasks of a suite, those of all its splits, that meet conditions; say why there are none, if so."""
    from omnipilot.bench.run.preview import bad_records_note
    from omnipilot.bench.run.runner import empty
    from omnipilot.bench.run.task_selection import count_by_split
    from omnipilot.bench.tasks.filter import facets, select
    from omnipilot.bench.tasks.reviewed_tasks import every_listed_task

    loaded = load_chosen_suite(suite, options, data, world)
    bad = tuple(map(str, loaded.bad))
    every = every_listed_task(loaded)
    if not every:
        raise ConfigError(empty(suite, bad))
    infos = select(every, where)
    width = max((len(info.id) for info in infos), default=0)
    for info in infos:
        mark = "" if info.seeded else "  [instances do not differ]"
        if info.id in loaded.reviews:
            mark += f"  [{loaded.reviews[info.id].words()}]"
        typer.echo(f"{info.id.ljust(width)}  {'+'.join(info.envs)}  {info.description}{mark}")
    tags = dict.fromkeys(tag for info in infos for tag in facets(info))
    hint = f"; select with --where KEY=VALUE, KEY one of {', '.join(tags)}" if tags else ""
    splits = count_by_split(infos)
    counts = f" ({', '.join(f'{name} {count}' for name, count in splits.items())})" if len(splits) > 1 else ""
    typer.echo(f"{len(infos)} tasks{counts}{hint}", err=True)
    if bad:
        typer.echo(bad_records_note(bad), err=True)


def list_stats(
    suite: str, where: Sequence[str], options: Sequence[str], data: str | None, world: str | None = None
) -> None:
    """Print the statistics of a suite's tasks that a run would take and that meet conditions, as papers print them."""
    from omnipilot.bench.tasks.filter import select
    from omnipilot.bench.tasks.reviewed_tasks import listed_tasks, taken_out
    from omnipilot.bench.tasks.suite_stats import stats_lines, stats_of

    loaded = load_chosen_suite(suite, options, data, world)
    for line in stats_lines(stats_of(loaded, select(listed_tasks(loaded), where))):
        typer.echo(line)
    for task, why in taken_out(loaded).items():
        typer.echo(f"not among the tasks: {task} ({why})", err=True)


def load_chosen_suite(suite: str, options: Sequence[str], data: str | None, world: str | None) -> Suite:
    """A suite with what the command line says of it.

    Raises:
        ConfigError: no such suite or option, or it cannot be loaded.
    """
    from omnipilot.bench.registry import load_suite
    from omnipilot.bench.run.config import set_options, suite_of
    from omnipilot.bench.settings import RunSettings

    return load_suite(suite_of(set_options(RunSettings(suite=suite, data=data, world=world), options)))
