"""The command line. Everything heavier than argument parsing is imported by the command that needs it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench.cli_ablate import ablate
from omnipilot.bench.cli_benchmarks import miniature, score
from omnipilot.bench.cli_data import Data, with_data
from omnipilot.bench.cli_models import calibrate_, ground, serve
from omnipilot.bench.cli_stats import compare, plan
from omnipilot.bench.cli_sweep import sweep

app = typer.Typer(
    name="omnipilot",
    help="Agents that operate phones, desktops and browsers, and a harness whose numbers can be trusted.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"max_content_width": 120},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Text = Optional[str]  # noqa: UP045 (typer reads annotations at run time)
Whole = Optional[int]  # noqa: UP045
Number = Optional[float]  # noqa: UP045
File = Optional[Path]  # noqa: UP045
Many = Optional[list[str]]  # noqa: UP045


@app.command()
def run(
    suite: Annotated[Text, typer.Option(help="Suite: `omnipilot list suites`.")] = None,
    data: Data = None,
    preset: Annotated[
        Text, typer.Option(help="Settings of a paper: `omnipilot list presets`; all else comes first.")
    ] = None,
    planner: Annotated[Text, typer.Option(help="Planner, or an LLM as PROVIDER/MODEL. Default: rules.")] = None,
    planner_url: Annotated[Text, typer.Option(help="Base URL of the planner's server, as http://HOST:8000/v1.")] = None,
    grounder: Annotated[Text, typer.Option(help="Grounder. Default: elements.")] = None,
    memory: Annotated[Text, typer.Option(help="Memory. Default: window.")] = None,
    agent: Annotated[Text, typer.Option(help="Agent system: `omnipilot list agents`. Default: single.")] = None,
    tool_agent: Annotated[Text, typer.Option(help="Who works for a team's head. Default: the planner's model.")] = None,
    critic: Annotated[Text, typer.Option(help="Checks actions before they are done: rules, or PROVIDER/MODEL.")] = None,
    progress: Annotated[Text, typer.Option(help="Keeps the sub-goals left: clauses, or PROVIDER/MODEL.")] = None,
    loops: Annotated[bool, typer.Option("--loops", help="Notice the same action on the same screen.")] = False,
    skills: Annotated[bool, typer.Option("--skills", help="Zoom, read or recall when unsure.")] = False,
    tasks: Annotated[Text, typer.Option(help="Task ids, separated by commas. Default: all of the suite.")] = None,
    where: Annotated[
        Many, typer.Option(metavar="KEY=VALUE", help="Only tasks with KEY=VALUE, e.g. level=AV-critical. Repeatable.")
    ] = None,
    instances: Annotated[Whole, typer.Option(help="Instances of each task: seeds 0, 1, … Default: 1.")] = None,
    trials: Annotated[Whole, typer.Option(help="Repetitions of each instance. Default: 1.")] = None,
    modalities: Annotated[
        Text, typer.Option(help="What the agent is granted: screenshot,elements,video,audio,context, all or none.")
    ] = None,
    planner_modalities: Annotated[Text, typer.Option(help="What of it the planner sees. Default: all of it.")] = None,
    grounder_modalities: Annotated[Text, typer.Option(help="What of it the grounder sees. Default: all of it.")] = None,
    turns: Annotated[Whole, typer.Option(help="Most decisions an episode; 0 for no limit. Default: 30.")] = None,
    actions: Annotated[Whole, typer.Option(help="Most actions an episode; 0 for no limit. Default: 60.")] = None,
    tokens: Annotated[Whole, typer.Option(help="Most tokens an episode.")] = None,
    cost: Annotated[Number, typer.Option(help="Most dollars an episode, for calls of models.")] = None,
    waive_cost: Annotated[bool, typer.Option("--waive-cost", help="Calls of unknown price count as free.")] = False,
    seconds: Annotated[Number, typer.Option(help="Most wall-clock seconds an episode.")] = None,
    working: Annotated[Number, typer.Option(help="Most seconds an episode that models and devices work.")] = None,
    retries: Annotated[
        Whole, typer.Option(help="Invalid actions in a row that are forgiven; 0 ends at the first. Default: 3.")
    ] = None,
    thinking: Annotated[
        Text, typer.Option(help="Simulated worlds while models think: frozen, fixed:SECONDS, measured.")
    ] = None,
    intent: Annotated[Optional[bool], typer.Option(help="Tell the agent why the user wants it.")] = None,  # noqa: UP045
    stand_in: Annotated[
        Text, typer.Option(help="In place of sound and video, of equal length: silence, noise, other (another task's).")
    ] = None,
    cassette: Annotated[
        File, typer.Option(help="Keep LLM calls in this folder; what is in it is not asked again.")
    ] = None,
    replay: Annotated[
        bool, typer.Option("--replay", help="With --cassette: a call that is not in it is an error.")
    ] = False,
    option: Annotated[
        Many,
        typer.Option(
            "--option",
            "-o",
            metavar="PART.KEY=VALUE",
            help="Option of a part: PART.KEY=VALUE, e.g. memory.turns=4. Repeatable.",
        ),
    ] = None,
    config: Annotated[File, typer.Option(help="TOML file with the same settings; flags come first.")] = None,
    jobs: Annotated[Whole, typer.Option(help="Worker processes. Default: 1.")] = None,
    out: Annotated[
        File, typer.Option(help="Run directory; an unfinished run in it is finished. Default: in runs/.")
    ] = None,
    rerun_void: Annotated[bool, typer.Option(help="Try episodes again that ended void.")] = False,
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="First make sure that the grounder points where it means to.")
    ] = False,
) -> None:
    """Run an agent on a suite, or finish a run that was interrupted."""
    from omnipilot.bench.command import run_command

    limits = {
        **{"turns": turns, "actions": actions, "tokens": tokens},
        **{"seconds": seconds, "cost": cost, "working": working},
    }
    flags = {
        "suite": suite,
        "preset": preset,
        "planner": planner,
        "planner_url": planner_url,
        "grounder": grounder,
        "memory": memory,
        "agent": agent,
        **{"tool_agent": tool_agent, "critic": critic, "progress": progress},
        **{"loops": "repeats" if loops else None, "skills": "routing" if skills else None},
        "tasks": tasks,
        "where": where or None,
        "instances": instances,
        "trials": trials,
        "modalities": modalities,
        "planner_modalities": planner_modalities,
        "grounder_modalities": grounder_modalities,
        "retries": retries,
        "thinking": thinking,
        "intent": intent,
        "stand_in": stand_in,
        "cassette": None if cassette is None else str(cassette),
        "replay": replay or None,
        "waive_cost": waive_cost or None,
        "jobs": jobs,
        "out": None if out is None else str(out),
    }
    chosen = {k: v for k, v in limits.items() if v is not None}
    run_command(config, flags, chosen, with_data(option, data), rerun_void, calibrate)


@app.command("list")
def list_(
    what: Annotated[
        str, typer.Argument(help="agents, planners, grounders, memories, critics, suites, presets, tasks, …")
    ],
    suite: Annotated[Text, typer.Option(help="Whose tasks; of `list suites`, this one alone and in full.")] = None,
    data: Data = None,
    where: Annotated[
        Many, typer.Option(metavar="KEY=VALUE", help="Only tasks with KEY=VALUE, e.g. level=AV-critical. Repeatable.")
    ] = None,
    option: Annotated[
        Many, typer.Option("--option", "-o", metavar="PART.KEY=VALUE", help="suite.KEY=VALUE, e.g. suite.data=DIR.")
    ] = None,
) -> None:
    """List what there is, plug-ins included."""
    from omnipilot.bench.command import list_command

    list_command(what, suite, where or [], with_data(option, data))


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
    from omnipilot.bench.command_prompt import show_prompt_command

    show_prompt_command(planner, agent, suite, option or [])


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run directories, or folders of them.")],
    out: Annotated[File, typer.Option(help="Where to write the page. Default: report.html in the first run.")] = None,
    variant: Annotated[str, typer.Option(help="Of CRAB's figures: paper or release.")] = "paper",
) -> None:
    """Print the table of one or more runs and write a page to step through their episodes."""
    from omnipilot.bench.command import report_command

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
    from omnipilot.bench.doctor import examine, render

    typer.echo(render(examine()))


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Where the runs and the report go.")] = Path("runs/demo"),
    jobs: Annotated[int, typer.Option(help="Worker processes.")] = 2,
) -> None:
    """Baseline agents on the embedded world and, where a Chromium is present, on real web pages."""
    from omnipilot.bench.demo import demo_command

    demo_command(out, jobs)


def main() -> None:
    """Entry point: an error of ours is one line that says the cure, and exit status 2."""
    from omnipilot.envs.errors import OmnipilotError

    try:
        app()
    except OmnipilotError as error:
        typer.echo(f"omnipilot: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
