"""The command line. Everything heavier than argument parsing is imported by the command that needs it."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.ablate import ablate
from omnipilot.bench.cli.benchmarks import miniature, score
from omnipilot.bench.cli.command_group import OWN, CommandGroup
from omnipilot.bench.cli.compare import compare
from omnipilot.bench.cli.desktop import desktop
from omnipilot.bench.cli.env import env
from omnipilot.bench.cli.grid import grid
from omnipilot.bench.cli.models import calibrate_, ground, serve
from omnipilot.bench.cli.options import File, Many, Number, Text, Whole
from omnipilot.bench.cli.plan import plan
from omnipilot.bench.cli.sections import SectionedCommand
from omnipilot.bench.cli.sweep import sweep
from omnipilot.bench.cli.table import table
from omnipilot.envs import ConfigError, OmnipilotError

app = typer.Typer(
    name="omnipilot",
    cls=CommandGroup,
    no_args_is_help=True,
    add_completion=False,
    context_settings={"max_content_width": 120},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"omnipilot {version('omnipilot')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """Agents that operate phones, desktops and browsers, and a harness whose numbers can be trusted."""


@OWN.command(cls=SectionedCommand)
@opt.with_settings("run")
def run(
    flags: opt.Flags,
    option: opt.PartOption = None,
    config: opt.Config = None,
    rerun_void: opt.RerunVoid = False,
    dry_run: opt.DryRun = False,
) -> None:
    """Run an agent on a suite, or resume an interrupted run."""
    from omnipilot.bench.cli.commands.run import run_command

    run_command(config, flags.settings, option or [], rerun_void, dry_run)


@OWN.command("list")
def list_(
    what: Annotated[
        str, typer.Argument(help="agents, planners, grounders, memories, critics, suites, presets, tasks, …")
    ],
    suite: Annotated[
        Text,
        typer.Option(
            metavar="NAME", help="Suite whose tasks are listed; with `list suites`, the suite to show in full."
        ),
    ] = None,
    data: opt.Data = None,
    world: opt.WorldFile = None,
    where: opt.Where = None,
    option: Annotated[
        Many,
        typer.Option(
            "--option", "-o", metavar="PART.KEY=VALUE", help="Option of the suite, e.g. suite.split=test. Repeatable."
        ),
    ] = None,
) -> None:
    """List available parts, suites, presets or tasks, including those of plug-ins."""
    from omnipilot.bench.cli.commands.list import list_command

    list_command(what, suite, where or [], option or [], data, world)


@OWN.command("show-prompt")
def show_prompt(
    planner: Annotated[str, typer.Argument(help="Planner, or an LLM as PROVIDER/MODEL.")] = "function-calling",
    agent: Annotated[str, typer.Option(help="Agent system; the prompt of each of its roles is printed.")] = "single",
    suite: Annotated[
        Text,
        typer.Option(
            metavar="NAME",
            help="Suite whose devices the prompt describes. Default: the first of `omnipilot list suites`.",
        ),
    ] = None,
    option: Annotated[
        Many, typer.Option("--option", "-o", metavar="PART.KEY=VALUE", help="Option of a part. Repeatable.")
    ] = None,
) -> None:
    """Print the prompt that a planner's model gets before a task: system prompt, tools, and hash."""
    from omnipilot.bench.cli.commands.show_prompt import show_prompt_command

    show_prompt_command(planner, agent, suite, option or [])


@OWN.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run directories, or folders that contain them.")],
    out: Annotated[
        File, typer.Option(metavar="FILE", help="Page to write. Default: report.html in the first run.")
    ] = None,
    variant: Annotated[str, typer.Option(help="Variant of CRAB's metrics: paper or release.")] = "paper",
    columns: Annotated[
        Text,
        typer.Option(
            metavar="LIST",
            help="Comma-separated columns of the tables: solved, sr, cr, ee, ce, turns, steps, actions, calls, tokens, "
            "dollars, seconds, … or all.",
        ),
    ] = None,
    by: Annotated[
        Many,
        typer.Option(
            metavar="NAME", help="Add a table with a row for each level, device, app, task or other tag. Repeatable."
        ),
    ] = None,
    format_: Annotated[
        str,
        typer.Option("--format", metavar="NAME", help="Format of the tables: table, csv, json, markdown or latex."),
    ] = "table",
) -> None:
    """Print the tables of one or more runs, and write a page to step through their episodes."""
    from omnipilot.bench.cli.commands.report import report_command

    report_command(runs, out, variant, columns=columns or "", by=by or [], form=format_)


@OWN.command()
def export(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run directories, or folders that contain them.")],
    to: Annotated[str, typer.Option(metavar="FORMAT", help="Format of the files: csv or parquet.")] = "csv",
    out: Annotated[
        File, typer.Option(metavar="DIR", help="Folder of the files. Default: export in the first run.")
    ] = None,
) -> None:
    """Write the episodes, steps and model calls of runs as tables for notebooks and statistics programs."""
    from omnipilot.bench.cli.commands.export import export_command

    export_command(runs, to, out)


@OWN.command()
def show(
    run_: Annotated[Path, typer.Argument(metavar="RUN", help="Run directory, also of `omnipilot ground`.")],
    task: Annotated[
        Text,
        typer.Argument(
            metavar="TASK", help="Id of a task that was run; of `omnipilot ground`, of a target, or none for all calls."
        ),
    ] = None,
    turn: Annotated[
        Whole, typer.Option(metavar="N", help="Turn, from 1. Without it, the calls of all turns are listed.")
    ] = None,
    role: Annotated[
        Text, typer.Option(metavar="NAME", help="Role whose calls are printed, e.g. planner or grounder. Default: all.")
    ] = None,
    instance: Annotated[int, typer.Option(help="Instance of the task.")] = 0,
    trial: Annotated[int, typer.Option(help="Trial of the instance.")] = 0,
    attempt: Annotated[
        Whole, typer.Option(metavar="N", help="Attempt at the episode. Default: the last that came to an end.")
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Leave out messages that an earlier call had sent already.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON: requests as they were sent, captures as references.")
    ] = False,
) -> None:
    """Print what models were sent in a turn of a recorded episode, and what they answered."""
    from omnipilot.bench.cli.commands.show import WhichCalls, show_command

    show_command(run_, WhichCalls(task, instance, trial, attempt, turn, role), new, json)


@OWN.command()
def memory(
    run_: Annotated[
        Path, typer.Argument(metavar="RUN|FILE", help="Run directory; or a film (mp4, webm, mkv, gif, …) or a sound.")
    ],
    task: Annotated[Text, typer.Argument(metavar="[TASK]", help="Id of a task that was run; not for a FILE.")] = None,
    ask: Annotated[
        Text, typer.Option(metavar="QUESTION", help="Question to answer. Without it, print the timeline.")
    ] = None,
    most: Annotated[int, typer.Option(metavar="N", help="With --ask: print at most N answers, the best first.")] = 5,
    every: Annotated[
        bool, typer.Option("--all", help="With --ask: print all that would be recalled for a decision, in its order.")
    ] = False,
    instance: Annotated[int, typer.Option(help="Instance of the task.")] = 0,
    trial: Annotated[int, typer.Option(help="Trial of the instance.")] = 0,
    memory: Annotated[
        str, typer.Option(metavar="NAME", help="Memory that is asked; see `list memories`.")
    ] = "episodic",
    option: Annotated[
        Many, typer.Option("--option", "-o", metavar="memory.KEY=VALUE", help="Option of the memory. Repeatable.")
    ] = None,
    envs: Annotated[str, typer.Option(metavar="LIST", help="Devices to recall from. Default: all.")] = "",
    modalities: Annotated[
        str, typer.Option(metavar="LIST", help="What may be recalled. Default: what the planner was granted.")
    ] = "",
    kinds: Annotated[str, typer.Option(metavar="LIST", help="Kinds of events to print. Default: all.")] = "",
    start: Annotated[Number, typer.Option("--from", metavar="SECONDS", help="Print events from then on.")] = None,
    end: Annotated[Number, typer.Option("--to", metavar="SECONDS", help="Print events until then.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    out: Annotated[
        File, typer.Option(metavar="DIR", help="For a FILE: keep its key frames and clips there. Default: nowhere.")
    ] = None,
) -> None:
    """Ask the memory of a recorded episode, a film or a sound, or print its timeline."""
    if run_.is_file():
        from omnipilot.bench.cli.commands.film import FilmQuestion, film_command

        of_runs = {"TASK": task, "--all": every, "--instance": instance, "--trial": trial, "--envs": envs}
        of_runs |= {"--modalities": modalities, "--memory": memory != "episodic"}
        if given := [name for name, value in of_runs.items() if value]:
            raise ConfigError(f"{', '.join(given)}: for runs alone; {run_} is a file")
        film_command(run_, FilmQuestion(ask, most, kinds, start, end, option or [], out, json))
        return
    from omnipilot.bench.cli.commands.memory import (
        AskOptions,
        TimelineSpan,
        WhichEpisode,
        ask_command,
        timeline_command,
    )

    if task is None:
        raise ConfigError(
            f"name a task of the run {run_} (`omnipilot report` lists them), or a film or sound that exists"
        )
    if out is not None:
        raise ConfigError("--out is for a film or a sound; the clips of a run are in its folder")
    which, span = WhichEpisode(run_, task, instance, trial, envs, modalities), TimelineSpan(kinds, start, end)
    if ask is None:
        timeline_command(which, span, json)
    elif span != TimelineSpan():
        raise ConfigError("--kinds, --from and --to are for the timeline; leave --ask out, or these")
    else:
        ask_command(ask, which, AskOptions(memory, option or [], most, every), json)


OWN.add_typer(env, name="env")
OWN.add_typer(desktop, name="desktop")
OWN.command()(serve)
OWN.command("calibrate")(calibrate_)
OWN.command()(ground)
OWN.command()(score)
OWN.command()(miniature)
OWN.command()(compare)
OWN.command()(table)
OWN.command()(plan)
OWN.command(cls=SectionedCommand)(sweep)
OWN.command(cls=SectionedCommand)(grid)
OWN.command(cls=SectionedCommand)(ablate)


@OWN.command()
def doctor() -> None:
    """Show what is installed, what is missing, and how to install it."""
    from omnipilot.bench.cli.commands.doctor import examine, render

    typer.echo(render(examine()))


def main() -> None:
    """Entry point. An error of ours, of the system or of a file is one line that names the cure, with exit status 2.

    No error shows a key. With $OMNIPILOT_TRACEBACK set, errors of the system show where they came from, too.
    """
    from omnipilot.bench.logs import start_logging
    from omnipilot.memory.secrets.scrub import scrub_error

    try:
        start_logging()
        app()
    except OmnipilotError as error:
        typer.echo(f"omnipilot: {scrub_error(str(error))}", err=True)
        sys.exit(2)
    except (OSError, MemoryError) as error:
        from omnipilot.envs.types.system_errors import explain

        if os.environ.get("OMNIPILOT_TRACEBACK"):
            typer.echo(scrub_error(traceback.format_exc()), err=True, nl=False)
        typer.echo(f"omnipilot: {scrub_error(explain(error))}", err=True)
        sys.exit(2)
    except Exception:
        # A bug: the usual traceback, with keys removed from what libraries say.
        typer.echo(scrub_error(traceback.format_exc()), err=True, nl=False)
        sys.exit(1)


if __name__ == "__main__":
    main()
