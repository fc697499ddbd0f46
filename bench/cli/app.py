"""The command line. Everything heavier than argument parsing is imported by the command that needs it."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.ablate import ablate
from omnipilot.bench.cli.benchmarks import miniature, score
from omnipilot.bench.cli.compare import compare, plan
from omnipilot.bench.cli.models import calibrate_, ground, serve
from omnipilot.bench.cli.options import File, Many, Text
from omnipilot.bench.cli.sweep import sweep

app = typer.Typer(
    name="omnipilot",
    help="Agents that operate phones, desktops and browsers, and a harness whose numbers can be trusted.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"max_content_width": 120},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.command()
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


@app.command("list")
def list_(
    what: Annotated[
        str, typer.Argument(help="agents, planners, grounders, memories, critics, suites, presets, tasks, …")
    ],
    suite: Annotated[Text, typer.Option(help="Whose tasks; of `list suites`, this one alone and in full.")] = None,
    data: opt.Data = None,
    where: Annotated[
        Many,
        typer.Option(metavar="KEY=VALUE", help="Only tasks with KEY=VALUE, e.g. level=AV-critical. Repeatable."),
    ] = None,
    option: Annotated[
        Many, typer.Option("--option", "-o", metavar="PART.KEY=VALUE", help="suite.KEY=VALUE, e.g. suite.data=DIR.")
    ] = None,
) -> None:
    """List what there is, plug-ins included."""
    from omnipilot.bench.cli.commands.list import list_command

    list_command(what, suite, where or [], option or [], data)


@app.command("show-prompt")
def show_prompt(
    planner: Annotated[str, typer.Argument(help="Planner, or an LLM as PROVIDER/MODEL.")] = "function-calling",
    agent: Annotated[str, typer.Option(help="Agent system: what each of its roles is told.")] = "single",
    suite: Annotated[str, typer.Option(help="Whose devices.")] = "duet",
    option: Annotated[
        Many, typer.Option("--option", "-o", metavar="PART.KEY=VALUE", help="Option of a part: PART.KEY=VALUE.")
    ] = None,
) -> None:
    """Print what a planner's model is told before a task: system prompt, tools, and the hash of the prompt."""
    from omnipilot.bench.cli.commands.show_prompt import show_prompt_command

    show_prompt_command(planner, agent, suite, option or [])


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run directories, or folders of them.")],
    out: Annotated[File, typer.Option(help="Where to write the page. Default: report.html in the first run.")] = None,
    variant: Annotated[str, typer.Option(help="Of CRAB's figures: paper or release.")] = "paper",
) -> None:
    """Print the table of one or more runs and write a page to step through their episodes."""
    from omnipilot.bench.cli.commands.report import report_command

    report_command(runs, out, variant)


app.command()(serve)
app.command("calibrate")(calibrate_)
app.command()(ground)
app.command()(score)
app.command()(miniature)
app.command()(compare)
app.command()(plan)
app.command()(sweep)
app.command()(ablate)


@app.command()
def doctor() -> None:
    """Say what is installed, what is missing, and how to get it."""
    from omnipilot.bench.cli.commands.doctor import examine, render

    typer.echo(render(examine()))


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Where the runs and the report go.")] = Path("runs/demo"),
    jobs: Annotated[int, typer.Option(help="Worker processes.")] = 2,
) -> None:
    """Baseline agents on the embedded world and, where a Chromium is present, on real web pages."""
    from omnipilot.bench.cli.commands.demo import demo_command

    demo_command(out, jobs)


def main() -> None:
    """Entry point: an error of ours is one line that says the cure, and exit status 2. No error shows a key."""
    from omnipilot.envs import OmnipilotError
    from omnipilot.memory.secrets.scrub import scrub_error

    try:
        app()
    except OmnipilotError as error:
        typer.echo(f"omnipilot: {scrub_error(str(error))}", err=True)
        sys.exit(2)
    except Exception:
        # A bug: its traceback is what it always is, but for keys in the words of libraries.
        typer.echo(scrub_error(traceback.format_exc()), err=True, nl=False)
        sys.exit(1)


if __name__ == "__main__":
    main()
