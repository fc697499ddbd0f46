"""The record by which a package adds to omnipilot: a `Plugin`, named by one entry point in `omnipilot.plugins`.

A plug-in holds names and one-line texts alone: each part is a string, "module:attribute", and its module is imported
when the part is used. So the module of the record must import nothing heavy: `from omnipilot.envs import Plugin`, and
no more. What ships with omnipilot beside the engine (the embedded world, each benchmark, the planners `rules` and
`mini`) comes by this door as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from omnipilot.envs.types.errors import ConfigError

PARTS = (
    "devices",
    "planners",
    "grounders",
    "families",
    "memories",
    "gates",
    "agents",
    "critics",
    "trackers",
    "stops",
    "readers",
    "sources",
    "checks",
    "verbs",
    "approvers",
    "speech",
    "suites",
    "pointing",
    "scores",
    "miniatures",
    "metrics",
    "figures",
    "judges",
    "subtasks",
    "providers",
    "served",
    "states",
    "doors",
    "exports",
    "transcribers",
)
"""The tables of a plug-in that map a name to "module:attribute"."""
TABLES = (*PARTS, "commands")
"""The tables of which each name belongs to one plug-in."""


@dataclass(frozen=True, slots=True)
class BenchmarkInfo:
    """What a benchmark evaluates, the data or programs it needs, and how to get them; "" if there are none."""

    what: str
    needs: str = ""
    get: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """A command, or a group of commands, of the command line.

    Attributes:
        target: "module:attribute" of a `typer.Typer` (a group) or of a function (one command); imported when it is
            called.
        help: a line, for `omnipilot --help`.
    """

    target: str
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """What a package adds. Tables map a name to "module:attribute"; all may be empty.

    Attributes:
        name: of the plug-in; a package may bring several.
        about: a line about it.
        devices: kinds of devices that a world file may name; classes or functions that make a `World`.
        planners, grounders, memories, gates, agents: parts of an agent. critics, trackers, stops, readers, checks:
            parts that are put around one. sources: of elements, which `--perception` names.
        verbs: verb sets, which change what planners are offered (`omnipilot.agents.verbs.VerbSet`).
        approvers: who is asked for moves that a policy wants approved (`omnipilot.agents.guard.Approver`).
        families: each a `Family` of pointing models, or a collection of them.
        speech: synthesizers that speak instructions.
        suites: tasks for agents. pointing: screens with targets, for grounders. scores: rules for predictions.
        miniatures: functions that write a small data set; their modules also have `sample_predictions`.
        metrics: figures of runs, each an `omnipilot.bench.scoring.Metric`, as the decorator `metric` makes it.
        figures: kinds of figures that `omnipilot figure` draws, each an `omnipilot.bench.report.FigureKind`, as the
            decorator `figure_kind` makes it.
        judges: kinds of judges that evaluators may name, each an `omnipilot.bench.judges.JudgeKind`, as the decorator
            `judge` makes it.
        benchmarks: a few words about each suite, pointing suite or score, for `omnipilot list suites`; without them,
            the first line of its docstring is shown.
        subtasks: tables of sub-tasks for task files of CRAB and OmniBench; each a `Pool`.
        presets: the folder of its presets, as "package:folder", TOML files; "" for none.
        providers: of models; each a `Provider`, whose name stands before the slash of a model.
        served: models that `omnipilot serve NAME` starts in a way of their own; functions from the settings of the
            command to a `Launch`-like object.
        states: codecs of states that judges elsewhere may read; functions that make a `RecordCodec`. One reads the
            states whose classes are in the packages around its own module.
        doors: ways to serve worlds and tasks to the clients of others, for `omnipilot env serve --door NAME`; functions
            that take an `omnipilot.bench.session.Offer` and return when serving is over.
        exports: formats of `omnipilot export --to NAME`; functions that take run directories and a folder, and return
            the files that they wrote there.
        transcribers: put speech into words; functions of the text behind the slash ("" for none) that make an
            `omnipilot.memory.transcription.Transcriber`.
        commands: of the command line, by name.
        doctor: a function that returns rows for `omnipilot doctor`, as "module:attribute"; "" for none.
        defaults: what a command takes where nothing is said, by "suite", "planner", "pointing" or "world". Only those
            of plug-ins that ship with omnipilot count.
        place: where its parts stand in lists, among the plug-ins that ship with omnipilot: below 0 before the engine's
            own, from 0 on after them. Others are sorted by name, and stand last.

    Raises:
        ConfigError: a table, a name or a text has the wrong form; the message says which, and what it should be.
    """

    name: str
    about: str = ""
    devices: Mapping[str, str] = field(default_factory=dict)
    planners: Mapping[str, str] = field(default_factory=dict)
    grounders: Mapping[str, str] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    memories: Mapping[str, str] = field(default_factory=dict)
    gates: Mapping[str, str] = field(default_factory=dict)
    agents: Mapping[str, str] = field(default_factory=dict)
    critics: Mapping[str, str] = field(default_factory=dict)
    trackers: Mapping[str, str] = field(default_factory=dict)
    stops: Mapping[str, str] = field(default_factory=dict)
    readers: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    checks: Mapping[str, str] = field(default_factory=dict)
    verbs: Mapping[str, str] = field(default_factory=dict)
    approvers: Mapping[str, str] = field(default_factory=dict)
    speech: Mapping[str, str] = field(default_factory=dict)
    suites: Mapping[str, str] = field(default_factory=dict)
    pointing: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, str] = field(default_factory=dict)
    miniatures: Mapping[str, str] = field(default_factory=dict)
    metrics: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)
    judges: Mapping[str, str] = field(default_factory=dict)
    benchmarks: Mapping[str, BenchmarkInfo] = field(default_factory=dict)
    subtasks: Mapping[str, str] = field(default_factory=dict)
    presets: str = ""
    providers: Mapping[str, str] = field(default_factory=dict)
    served: Mapping[str, str] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)
    doors: Mapping[str, str] = field(default_factory=dict)
    exports: Mapping[str, str] = field(default_factory=dict)
    transcribers: Mapping[str, str] = field(default_factory=dict)
    commands: Mapping[str, Command] = field(default_factory=dict)
    doctor: str = ""
    defaults: Mapping[str, str] = field(default_factory=dict)
    place: int = 0

    def __post_init__(self) -> None:
        if mistakes := list(_mistakes(self)):
            raise ConfigError(f"the plug-in {self.name!r}: {'; '.join(mistakes)}")


def _mistakes(plugin: Plugin) -> list[str]:
    """What is wrong with the form of a record, each with the cure."""
    found = [] if plugin.name and isinstance(plugin.name, str) else ["name must be a text, such as 'errands'"]
    for one in fields(plugin):
        value: Any = getattr(plugin, one.name)
        if one.name in PARTS:
            found += _table_mistakes(one.name, value, _is_target, 'a text "module:attribute"')
        elif one.name == "benchmarks":
            found += _table_mistakes(one.name, value, lambda entry: isinstance(entry, BenchmarkInfo), "a BenchmarkInfo")
        elif one.name == "commands":
            found += _table_mistakes(
                one.name,
                value,
                lambda entry: isinstance(entry, Command) and _is_target(entry.target) and bool(entry.help),
                'a Command("module:attribute", "what it does")',
            )
        elif one.name == "defaults":
            found += _table_mistakes(one.name, value, lambda entry: isinstance(entry, str), "a name")
        elif one.name in ("presets", "doctor") and value != "" and not _is_target(value):
            form = "package:folder" if one.name == "presets" else "module:attribute"
            found.append(f'{one.name} must be a text "{form}", not {value!r:.60}')
        elif one.name == "place" and type(value) is not int:
            found.append(f"place must be a whole number, not {value!r:.60}")
        elif one.name == "about" and not isinstance(value, str):
            found.append(f"about must be a text, not {value!r:.60}")
    return found


def _table_mistakes(table: str, value: Any, fits: Any, form: str) -> list[str]:
    if not isinstance(value, Mapping):
        return [f"{table} must be a table from names to entries, not {value!r:.60}"]
    wrong = [f"{table}: a name must be a text, not {name!r:.60}" for name in value if not (name and type(name) is str)]
    return wrong + [
        f"{table}[{name!r}] must be {form}, not {entry!r:.60}" for name, entry in value.items() if not fits(entry)
    ]


def _is_target(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    module, colon, attribute = value.partition(":")
    return bool(colon and module.strip() and attribute.strip())
