"""The command `ablate`: what each modality is worth to an agent, and to which tasks."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import File, Text


def ablate(
    suite: opt.Suite = None,
    data: opt.Data = None,
    conditions: Annotated[
        Text,
        typer.Option(
            help="Only these, with commas: no-audio, no-audio-video, only-elements, silence, noise, other, …; or "
            "withheld, alone, control for all of a kind. The full set is always run. Default: all."
        ),
    ] = None,
    by: Annotated[str, typer.Option(help="Tag of tasks to tell apart by. Default: level, where there is one.")] = "",
    preset: opt.Preset = None,
    planner: opt.Planner = None,
    planner_url: opt.PlannerUrl = None,
    grounder: opt.Grounder = None,
    memory: opt.Memory = None,
    agent: opt.System = None,
    tool_agent: opt.ToolAgent = None,
    critic: opt.Critic = None,
    progress: opt.Progress = None,
    loops: opt.Loops = False,
    skills: opt.Skills = False,
    tasks: opt.Tasks = None,
    where: opt.Where = None,
    instances: opt.Instances = None,
    trials: opt.Trials = None,
    modalities: Annotated[Text, typer.Option(help="The full set: a list with commas, or all (the default).")] = None,
    planner_modalities: opt.PlannerModalities = None,
    grounder_modalities: opt.GrounderModalities = None,
    turns: opt.Turns = None,
    actions: opt.Actions = None,
    tokens: opt.Tokens = None,
    cost: opt.Cost = None,
    waive_cost: opt.WaiveCost = False,
    seconds: opt.Seconds = None,
    working: opt.Working = None,
    retries: opt.Retries = None,
    thinking: opt.Thinking = None,
    intent: opt.Intent = None,
    cassette: opt.Cassette = None,
    replay: opt.Replay = False,
    option: opt.PartOption = None,
    config: opt.Config = None,
    jobs: opt.Jobs = None,
    out: Annotated[
        File, typer.Option(help="Folder of the ablation; what is done in it is not done again. Default: in runs/.")
    ] = None,
    dry_run: opt.DryRun = False,
    rerun_void: opt.RerunVoid = False,
    variant: opt.Variant = None,
    level: opt.Level = 0.95,
    power: opt.Power = 0.8,
) -> None:
    """Run an agent with all it is granted, without each modality, with each alone, and with silence, noise and another
    task's sound and video; only what is missing is run."""
    given = dict(locals())
    from omnipilot.bench.cli.commands.ablate import How, ablate_command

    names = tuple(name.strip() for name in (conditions or "").split(",") if name.strip())
    how = How(names, by, dry_run, rerun_void, level, power)
    ablate_command(config, opt.flags_of(given), opt.limits_of(given), opt.with_data(option, data), how)
