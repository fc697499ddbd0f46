"""The command `sweep`: every combination of planners, grounders and whatever else is given more than once."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import File, Many, Text

LISTS = (
    *("agent", "planner", "grounder", "memory", "modalities", "tool_agent", "critic", "progress"),
    *("thinking", "planner_modalities", "grounder_modalities", "stand_in"),
)
"""What may be given more than once."""


def sweep(
    config: Annotated[
        File, typer.Argument(help="TOML file: settings of a run, and a table [sweep] of lists. Flags come first.")
    ] = None,
    suite: opt.Suite = None,
    data: opt.Data = None,
    preset: opt.Preset = None,
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
    tasks: opt.Tasks = None,
    where: opt.Where = None,
    instances: opt.Instances = None,
    trials: opt.Trials = None,
    turns: opt.Turns = None,
    actions: opt.Actions = None,
    tokens: opt.Tokens = None,
    cost: opt.Cost = None,
    waive_cost: opt.WaiveCost = False,
    seconds: opt.Seconds = None,
    working: opt.Working = None,
    retries: opt.Retries = None,
    thinking: Annotated[
        Many,
        typer.Option(
            metavar="VALUE", help="Simulated worlds while models think: frozen, fixed:SECONDS, measured. Repeatable."
        ),
    ] = None,
    intent: opt.Intent = None,
    cassette: opt.Cassette = None,
    replay: opt.Replay = False,
    option: opt.PartOption = None,
    against: Annotated[
        str, typer.Option(help="The cell to compare with: its words, separated by commas. Default: the first.")
    ] = "",
    jobs: opt.Jobs = None,
    out: Annotated[
        File,
        typer.Option(help="Folder of the sweep; what is done in it is not done again. Default: runs/sweep-SUITE."),
    ] = None,
    dry_run: opt.DryRun = False,
    rerun_void: opt.RerunVoid = False,
    variant: opt.Variant = None,
    level: opt.Level = 0.95,
    power: opt.Power = 0.8,
) -> None:
    """Run every combination of what is given more than once, only what is missing, and compare all of them."""
    given = dict(locals())
    from omnipilot.bench.cli.commands.sweep import How, sweep_command

    lists = {name: given[name] for name in LISTS if given[name]}
    flags = opt.flags_of({name: value for name, value in given.items() if name not in LISTS})
    how = How(dry_run, rerun_void, against, level, power)
    sweep_command(config, lists, flags, opt.limits_of(given), opt.with_data(option, data), how)
