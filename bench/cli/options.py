"""The options that commands share which run agents: what each is called, takes and says of itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

# Typer reads annotations at run time, and knows no `str | None` on all versions that we take.
Text = Optional[str]  # noqa: UP045
Whole = Optional[int]  # noqa: UP045
Number = Optional[float]  # noqa: UP045
File = Optional[Path]  # noqa: UP045
Many = Optional[list[str]]  # noqa: UP045
Maybe = Optional[bool]  # noqa: UP045

Variant = Annotated[Text, typer.Option(hidden=True)]
"""Of `score` and `report`; known to other commands only so that they can say where it belongs."""

Suite = Annotated[Text, typer.Option(help="Suite: `omnipilot list suites`.")]
Data = Annotated[Text, typer.Option(help="Folder of the suite's data, or hf://OWNER/NAME; the same as -o suite.data=…")]
Preset = Annotated[Text, typer.Option(help="Settings of a paper: `omnipilot list presets`; all else comes first.")]
Planner = Annotated[Text, typer.Option(help="Planner, or an LLM as PROVIDER/MODEL. Default: rules.")]
PlannerUrl = Annotated[Text, typer.Option(help="Base URL of the planner's server, as http://HOST:8000/v1.")]
Grounder = Annotated[Text, typer.Option(help="Grounder. Default: elements.")]
Memory = Annotated[Text, typer.Option(help="Memory. Default: window.")]
System = Annotated[Text, typer.Option(help="Agent system: `omnipilot list agents`. Default: single.")]
ToolAgent = Annotated[Text, typer.Option(help="Who works for a team's head. Default: the planner's model.")]
Critic = Annotated[Text, typer.Option(help="Checks actions before they are done: rules, or PROVIDER/MODEL.")]
Progress = Annotated[Text, typer.Option(help="Keeps the sub-goals left: clauses, or PROVIDER/MODEL.")]
Loops = Annotated[bool, typer.Option("--loops", help="Notice the same action on the same screen.")]
Skills = Annotated[bool, typer.Option("--skills", help="Zoom, read or recall when unsure.")]
Tasks = Annotated[Text, typer.Option(help="Task ids, separated by commas. Default: all of the suite, or of its split.")]
Where = Annotated[
    Many, typer.Option(metavar="KEY=VALUE", help="Only tasks with KEY=VALUE, e.g. level=AV-critical. Repeatable.")
]
Instances = Annotated[Whole, typer.Option(help="Instances of each task: seeds 0, 1, … Default: 1.")]
Trials = Annotated[Whole, typer.Option(help="Repetitions of each instance. Default: 1.")]
PlannerModalities = Annotated[Text, typer.Option(help="What of it the planner sees. Default: all of it.")]
GrounderModalities = Annotated[Text, typer.Option(help="What of it the grounder sees. Default: all of it.")]
Turns = Annotated[Whole, typer.Option(help="Most decisions an episode; 0 for no limit. Default: the task's, or 30.")]
Actions = Annotated[Whole, typer.Option(help="Most actions an episode; 0 for no limit. Default: the task's, or 60.")]
Tokens = Annotated[Whole, typer.Option(help="Most tokens an episode.")]
Cost = Annotated[Number, typer.Option(help="Most dollars an episode, for calls of models.")]
WaiveCost = Annotated[bool, typer.Option("--waive-cost", help="Calls of unknown price count as free.")]
Seconds = Annotated[Number, typer.Option(help="Most wall-clock seconds an episode.")]
Working = Annotated[Number, typer.Option(help="Most seconds an episode that models and devices work.")]
Retries = Annotated[
    Whole, typer.Option(help="Invalid actions in a row that are forgiven; 0 ends at the first. Default: 3.")
]
Thinking = Annotated[Text, typer.Option(help="Simulated worlds while models think: frozen, fixed:SECONDS, measured.")]
Intent = Annotated[Maybe, typer.Option(help="Tell the agent why the user wants it.")]
Cassette = Annotated[File, typer.Option(help="Keep LLM calls in this folder; what is in it is not asked again.")]
Replay = Annotated[bool, typer.Option("--replay", help="With --cassette: a call that is not in it is an error.")]
PartOption = Annotated[
    Many,
    typer.Option(
        "--option",
        "-o",
        metavar="PART.KEY=VALUE",
        help="Option of a part: PART.KEY=VALUE, e.g. memory.turns=4. Repeatable.",
    ),
]
Config = Annotated[File, typer.Option(help="TOML file with the same settings; flags come first.")]
Jobs = Annotated[Whole, typer.Option(help="Worker processes; 0 plays in this process, for a debugger. Default: 1.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what is missing and what it may cost.")]
RerunVoid = Annotated[bool, typer.Option(help="Try episodes again that ended void.")]
Level = Annotated[float, typer.Option(help="Of the intervals.")]
Power = Annotated[float, typer.Option(help="Of the smallest detectable difference.")]

LIMITS = ("turns", "actions", "tokens", "seconds", "cost", "working")
FLAGS = (
    *("suite", "preset", "planner", "planner_url", "grounder", "memory", "agent", "tool_agent", "critic", "progress"),
    *("tasks", "where", "instances", "trials", "modalities", "planner_modalities", "grounder_modalities", "stand_in"),
    *("retries", "thinking", "intent", "cassette", "replay", "waive_cost", "jobs", "out"),
)


def flags_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a run among a command's arguments, by their names; None where one was not given.

    Raises:
        ConfigError: one that is no setting of a run but an option of its suite.
    """
    if (variant := given.get("variant")) is not None:
        from omnipilot.envs import ConfigError

        raise ConfigError(f"the variant of a run is an option of its suite: write -o suite.variant={variant}")
    flags = {name: _plain(name, given[name]) for name in FLAGS if name in given}
    switches = {"loops": "repeats", "skills": "routing"}
    return flags | {name: kind if given[name] else None for name, kind in switches.items() if name in given}


def limits_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The limits that were given among a command's arguments."""
    return {name: given[name] for name in LIMITS if given[name] is not None}


def with_data(options: Sequence[str] | None, data: str | None) -> list[str]:
    """The options of parts, and where the suite's data lies."""
    return [*(options or ()), *([] if data is None else [f"suite.data={json.dumps(data)}"])]


def _plain(name: str, value: Any) -> Any:
    """A value as a TOML file would have it: a switch that is off, or an empty list, was not given."""
    if isinstance(value, Path):
        return str(value)
    return value or None if name in ("where", "replay", "waive_cost") else value
