"""The command `ablate`: what each modality is worth to an agent, and to which tasks."""

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


def ablate(
    suite: Annotated[Text, typer.Option(help="Suite: `omnipilot list suites`.")] = None,
    data: Data = None,
    conditions: Annotated[
        Text,
        typer.Option(
            help="Only these, with commas: no-audio, no-audio-video, only-elements, silence, noise, other, …; or "
            "withheld, alone, control for all of a kind. The full set is always run. Default: all."
        ),
    ] = None,
    by: Annotated[str, typer.Option(help="Tag of tasks to tell apart by. Default: level, where there is one.")] = "",
    preset: Annotated[Text, typer.Option(help="Settings of a paper: `omnipilot list presets`.")] = None,
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
        Many, typer.Option(metavar="KEY=VALUE", help="Only tasks with KEY=VALUE, e.g. devices=phone. Repeatable.")
    ] = None,
    instances: Annotated[Whole, typer.Option(help="Instances of each task: seeds 0, 1, … Default: 1.")] = None,
    trials: Annotated[Whole, typer.Option(help="Repetitions of each instance. Default: 1.")] = None,
    modalities: Annotated[Text, typer.Option(help="The full set: a list with commas, or all (the default).")] = None,
    planner_modalities: Annotated[Text, typer.Option(help="What of it the planner sees. Default: all of it.")] = None,
    grounder_modalities: Annotated[Text, typer.Option(help="What of it the grounder sees. Default: all of it.")] = None,
    turns: Annotated[Whole, typer.Option(help="Most decisions an episode; 0 for no limit. Default: 30.")] = None,
    actions: Annotated[Whole, typer.Option(help="Most actions an episode; 0 for no limit. Default: 60.")] = None,
    tokens: Annotated[Whole, typer.Option(help="Most tokens an episode.")] = None,
    cost: Annotated[Number, typer.Option(help="Most dollars an episode, for calls of models.")] = None,
    waive_cost: Annotated[bool, typer.Option("--waive-cost", help="Calls of unknown price count as free.")] = False,
    seconds: Annotated[Number, typer.Option(help="Most wall-clock seconds an episode.")] = None,
    working: Annotated[Number, typer.Option(help="Most seconds an episode that models and devices work.")] = None,
    retries: Annotated[Whole, typer.Option(help="Invalid actions in a row that are forgiven. Default: 3.")] = None,
    thinking: Annotated[
        Text, typer.Option(help="Simulated worlds while models think: frozen, fixed:SECONDS, measured.")
    ] = None,
    intent: Annotated[Optional[bool], typer.Option(help="Tell the agent why the user wants it.")] = None,  # noqa: UP045
    cassette: Annotated[File, typer.Option(help="Keep LLM calls in this folder; none is made twice.")] = None,
    replay: Annotated[bool, typer.Option("--replay", help="With --cassette: a call not in it is an error.")] = False,
    option: Annotated[
        Many,
        typer.Option("--option", "-o", metavar="PART.KEY=VALUE", help="Option of a part: PART.KEY=VALUE. Repeatable."),
    ] = None,
    config: Annotated[File, typer.Option(help="TOML file with settings of a run; flags come first.")] = None,
    jobs: Annotated[Whole, typer.Option(help="Worker processes. Default: 1.")] = None,
    out: Annotated[
        File, typer.Option(help="Folder of the ablation; what is done in it is not done again. Default: in runs/.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what is missing and what it may cost.")] = False,
    rerun_void: Annotated[bool, typer.Option(help="Try episodes again that ended void.")] = False,
    level: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95,
    power: Annotated[float, typer.Option(help="Of the smallest detectable difference.")] = 0.8,
) -> None:
    """Run an agent with all it is granted, without each modality, with each alone, and with silence, noise and another
    task's sound and video; only what is missing is run."""
    from omnipilot.bench.command_ablate import How, ablate_command

    limits = {
        **{"turns": turns, "actions": actions, "tokens": tokens},
        **{"seconds": seconds, "cost": cost, "working": working},
    }
    flags = {
        **{"suite": suite, "preset": preset, "planner": planner, "planner_url": planner_url, "grounder": grounder},
        **{"memory": memory, "agent": agent, "tool_agent": tool_agent, "critic": critic, "progress": progress},
        **{"loops": "repeats" if loops else None, "skills": "routing" if skills else None},
        **{"tasks": tasks, "where": where or None, "instances": instances, "trials": trials},
        **{"modalities": modalities, "planner_modalities": planner_modalities},
        **{"grounder_modalities": grounder_modalities, "retries": retries, "thinking": thinking, "intent": intent},
        **{"cassette": None if cassette is None else str(cassette), "replay": replay or None},
        **{"waive_cost": waive_cost or None, "jobs": jobs, "out": None if out is None else str(out)},
    }
    known = {name: value for name, value in limits.items() if value is not None}
    names = tuple(name.strip() for name in (conditions or "").split(",") if name.strip())
    ablate_command(config, flags, known, with_data(option, data), How(names, by, dry_run, rerun_void, level, power))
