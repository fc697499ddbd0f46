"""The command `sweep`: every combination of planners, grounders and whatever else is given more than once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench.cli_data import Data, with_data

Text = Optional[str]  # noqa: UP045 (typer reads annotations at run time)
Whole = Optional[int]  # noqa: UP045
Number = Optional[float]  # noqa: UP045
File = Optional[Path]  # noqa: UP045
Many = Optional[list[str]]  # noqa: UP045


def sweep(
    config: Annotated[
        File, typer.Argument(help="TOML file: settings of a run, and a table [sweep] of lists. Flags come first.")
    ] = None,
    suite: Annotated[Text, typer.Option(help="Suite, one for all: `omnipilot list suites`.")] = None,
    data: Data = None,
    preset: Annotated[Text, typer.Option(help="Settings of a paper: `omnipilot list presets`.")] = None,
    agent: Annotated[Many, typer.Option(metavar="VALUE", help="Agent system. Repeatable.")] = None,
    planner: Annotated[
        Many, typer.Option(metavar="VALUE", help="Planner, or an LLM as PROVIDER/MODEL. Repeatable.")
    ] = None,
    grounder: Annotated[Many, typer.Option(metavar="VALUE", help="Grounder. Repeatable.")] = None,
    memory: Annotated[Many, typer.Option(metavar="VALUE", help="Memory. Repeatable.")] = None,
    modalities: Annotated[
        Many,
        typer.Option(metavar="VALUE", help="What the agent is granted: a list with commas, all or none. Repeatable."),
    ] = None,
    tool_agent: Annotated[Many, typer.Option(metavar="VALUE", help="Who works for a team's head. Repeatable.")] = None,
    critic: Annotated[
        Many, typer.Option(metavar="VALUE", help="Checks actions: rules, PROVIDER/MODEL, or none. Repeatable.")
    ] = None,
    progress: Annotated[
        Many, typer.Option(metavar="VALUE", help="Keeps the sub-goals: clauses, PROVIDER/MODEL, none. Repeatable.")
    ] = None,
    planner_modalities: Annotated[
        Many, typer.Option(metavar="VALUE", help="What of it the planner sees. Repeatable.")
    ] = None,
    grounder_modalities: Annotated[
        Many, typer.Option(metavar="VALUE", help="What of it the grounder sees. Repeatable.")
    ] = None,
    stand_in: Annotated[
        Many, typer.Option(metavar="VALUE", help="In place of sound and video: silence, noise, other. Repeatable.")
    ] = None,
    planner_url: Annotated[Text, typer.Option(help="Base URL of the planners' server.")] = None,
    tasks: Annotated[Text, typer.Option(help="Task ids, separated by commas. Default: all of the suite.")] = None,
    where: Annotated[
        Many, typer.Option(metavar="KEY=VALUE", help="Only tasks with KEY=VALUE, e.g. level=AV-critical. Repeatable.")
    ] = None,
    instances: Annotated[Whole, typer.Option(help="Instances of each task: seeds 0, 1, … Default: 1.")] = None,
    trials: Annotated[Whole, typer.Option(help="Repetitions of each instance. Default: 1.")] = None,
    turns: Annotated[Whole, typer.Option(help="Most decisions an episode; 0 for no limit. Default: 30.")] = None,
    actions: Annotated[Whole, typer.Option(help="Most actions an episode; 0 for no limit. Default: 60.")] = None,
    tokens: Annotated[Whole, typer.Option(help="Most tokens an episode.")] = None,
    cost: Annotated[Number, typer.Option(help="Most dollars an episode, for calls of models.")] = None,
    waive_cost: Annotated[bool, typer.Option("--waive-cost", help="Calls of unknown price count as free.")] = False,
    seconds: Annotated[Number, typer.Option(help="Most wall-clock seconds an episode.")] = None,
    working: Annotated[Number, typer.Option(help="Most seconds an episode that models and devices work.")] = None,
    retries: Annotated[Whole, typer.Option(help="Invalid actions in a row that are forgiven. Default: 3.")] = None,
    thinking: Annotated[
        Many,
        typer.Option(
            metavar="VALUE", help="Simulated worlds while models think: frozen, fixed:SECONDS, measured. Repeatable."
        ),
    ] = None,
    intent: Annotated[Optional[bool], typer.Option(help="Tell the agent why the user wants it.")] = None,  # noqa: UP045
    cassette: Annotated[File, typer.Option(help="Keep LLM calls in this folder; none is made twice.")] = None,
    replay: Annotated[bool, typer.Option("--replay", help="With --cassette: a call not in it is an error.")] = False,
    option: Annotated[
        Many,
        typer.Option(
            "--option",
            "-o",
            metavar="PART.KEY=VALUE",
            help="Option of a part in every cell: PART.KEY=VALUE. Repeatable.",
        ),
    ] = None,
    against: Annotated[
        str, typer.Option(help="The cell to compare with: its words, separated by commas. Default: the first.")
    ] = "",
    jobs: Annotated[Whole, typer.Option(help="Worker processes. Default: 1.")] = None,
    out: Annotated[
        File, typer.Option(help="Folder of the sweep; what is done in it is not done again. Default: runs/sweep-SUITE.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what is missing and what it may cost.")] = False,
    rerun_void: Annotated[bool, typer.Option(help="Try episodes again that ended void.")] = False,
    level: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95,
    power: Annotated[float, typer.Option(help="Of the smallest detectable difference.")] = 0.8,
) -> None:
    """Run every combination of what is given more than once, only what is missing, and compare all of them."""
    from omnipilot.bench.command_sweep import How, sweep_command

    given = {
        **{"agent": agent, "planner": planner, "grounder": grounder, "memory": memory, "modalities": modalities},
        **{"tool_agent": tool_agent, "critic": critic, "progress": progress, "thinking": thinking},
        **{"planner_modalities": planner_modalities, "grounder_modalities": grounder_modalities, "stand_in": stand_in},
    }
    limits = {
        **{"turns": turns, "actions": actions, "tokens": tokens},
        **{"seconds": seconds, "cost": cost, "working": working},
    }
    flags = {
        **{"suite": suite, "preset": preset, "planner_url": planner_url},
        **{"tasks": tasks, "where": where or None, "instances": instances, "trials": trials},
        **{"retries": retries, "intent": intent, "replay": replay or None, "waive_cost": waive_cost or None},
        **{"cassette": None if cassette is None else str(cassette), "jobs": jobs},
        "out": None if out is None else str(out),
    }
    lists = {name: values for name, values in given.items() if values}
    known = {name: value for name, value in limits.items() if value is not None}
    sweep_command(config, lists, flags, known, with_data(option, data), How(dry_run, rerun_void, against, level, power))
