"""Options that commands share. The flags of a run's settings are made from `RunSettings`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Optional, get_args, get_type_hints

import typer

from omnipilot.bench import settings as declarations
from omnipilot.bench.settings import LimitSettings, Names, Part, RunSettings, Setting, declared_settings, varied_by

# Typer reads annotations at run time, and not all versions that we support read `str | None`.
Text = Optional[str]  # noqa: UP045
Whole = Optional[int]  # noqa: UP045
Number = Optional[float]  # noqa: UP045
File = Optional[Path]  # noqa: UP045
Many = Optional[list[str]]  # noqa: UP045

_HELP = {name: how.help for name, how in declared_settings(RunSettings).items()}
Data = Annotated[Text, typer.Option(metavar="DIR", help=_HELP["data"])]
WorldFile = Annotated[
    Text, typer.Option("--world", metavar="FILE", help="World file: the devices on which a suite's tasks are played.")
]
Where = Annotated[Many, typer.Option(metavar="KEY=VALUE", help=_HELP["where"])]
PartOption = Annotated[
    Many,
    typer.Option(
        "--option",
        "-o",
        metavar="PART.KEY=VALUE",
        help="Option of a part, e.g. memory.turns=4. Repeatable.",
        rich_help_panel=declarations.AGENT,
    ),
]
Config = Annotated[
    File,
    typer.Option(
        metavar="FILE", help="TOML file with the same settings. Flags override it.", rich_help_panel=declarations.RUN
    ),
]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run", help="Only print what would be run, and what it may cost.", rich_help_panel=declarations.FIRST
    ),
]
RerunVoid = Annotated[bool, typer.Option(help="Run episodes again that ended void.", rich_help_panel=declarations.RUN)]
Player = Annotated[
    str, typer.Option(metavar="NAME", help="Who plays; names the row in tables. A script that plays says so here.")
]
RunFolder = Annotated[
    Text, typer.Option("--out", metavar="DIR", help="Directory of the run. Default: a folder in runs/.")
]
Port = Annotated[int, typer.Option(help="Port of the page, on 127.0.0.1; 0 for a free one.")]
WaiveCost = Annotated[bool, typer.Option("--waive-cost", help="Count model calls of unknown price as free.")]
Level = Annotated[float, typer.Option(help="Confidence level of intervals.")]
FigureFile = Annotated[
    Optional[list[Path]],  # noqa: UP045
    typer.Option("--figure", metavar="FILE", help="Draw the figure to this .svg, .pdf or .png file, too. Repeatable."),
]
FigureWidth = Annotated[
    str,
    typer.Option(
        metavar="MM", help="Width of --figure: single (a column, 85 mm), double (two, 178 mm), or millimetres."
    ),
]
Methods = Annotated[bool, typer.Option(help="Print how intervals and p-values were obtained, too.")]
AllRows = Annotated[
    bool, typer.Option("--all", help="Print all rows of all tables, and not only the largest differences.")
]
ShownFigures = Annotated[
    str,
    typer.Option(
        "--figures",
        metavar="NAMES",
        help="Further figures, e.g. em,tm,turns or module:attribute. Default: the benchmark's headline beside SR.",
    ),
]
Power = Annotated[float, typer.Option(help="Power for which the smallest detectable difference is given.")]


@dataclass(frozen=True)
class Flags:
    """The settings of a run that were given as flags.

    Attributes:
        axes: of `sweep` and `grid`, the values of each setting that may be given several times, as far as it was given.
    """

    settings: RunSettings
    axes: Mapping[str, list[Any]] = field(default_factory=dict)


_METAVARS = {kind | None: word for kind, word in ((Part, "NAME"), (Names, "LIST"), (str, "TEXT"), (int, "N"))}


@dataclass(frozen=True, slots=True)
class _Flag:
    """The flag of a setting in one command; `axis`: it may be given several times, for the cells of a table."""

    name: str
    how: Setting
    hint: Any
    axis: bool

    def parameter(self) -> inspect.Parameter:
        """The flag as a parameter that typer reads."""
        kind: Any = next((one for one in (bool, int, float) if one in get_args(self.hint)), str)
        names: tuple[str, ...] = ()
        default, text, metavar = None, self.how.help, self.how.metavar or _METAVARS.get(self.hint)
        if self.axis:
            values = f" VALUE is {self.how.switch} or none." if self.how.switch is not None else ""
            kind, metavar, text = list[kind], "VALUE", f"{text}{values} Repeatable."
        elif self.how.repeatable:
            kind = list[kind]
        elif self.how.switch is not None:
            kind, names, default = bool, (f"--{self.name.replace('_', '-')}",), False
        option = typer.Option(*names, help=text, metavar=metavar, rich_help_panel=self.how.section)
        kind = Annotated[Optional[kind] if default is None else kind, option]  # noqa: UP045
        return inspect.Parameter(self.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)

    def value(self, given: Any) -> Any:
        """What was given, None if nothing was: a switch that is off and an empty list are not given."""
        if self.how.switch is not None and not self.axis:
            return self.how.switch if given else None
        return None if given == [] else given


def with_settings(command: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command a flag for each setting of a run, before its own options.

    The function gets what was given as its parameter `flags`, a `Flags`; its other parameters are options of its own.

    Args:
        command: its name, one of `COMMANDS`. In `sweep` and `grid`, flags of settings that these vary are repeatable.
    """
    settings, limits = _flags(declarations.RunSettings, command), _flags(LimitSettings, command)

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def call(**values: Any) -> None:
            given, of_limits = (
                {flag.name: value for flag in flags if (value := flag.value(values.pop(flag.name))) is not None}
                for flags in (settings, limits)
            )
            axes = {flag.name: given.pop(flag.name) for flag in settings if flag.axis and flag.name in given}
            if of_limits:
                given["limits"] = LimitSettings(**of_limits)
            function(flags=Flags(declarations.RunSettings(**given), axes), **values)

        hints = get_type_hints(function, include_extras=True)
        own = [one for name, one in inspect.signature(function).parameters.items() if name != "flags"]
        parameters = [flag.parameter() for flag in (*settings, *limits)]
        parameters += [one.replace(kind=one.KEYWORD_ONLY, annotation=hints[one.name]) for one in own]
        call.__dict__["__signature__"] = inspect.Signature(parameters)
        call.__annotations__ = {one.name: one.annotation for one in parameters}
        return call

    return decorate


def _flags(record: type[RunSettings] | type[LimitSettings], command: str) -> list[_Flag]:
    hints = get_type_hints(record)
    varied = varied_by(command)
    return [
        _Flag(name, how, hints[name], name in varied and bool not in get_args(hints[name]))
        for name, how in declared_settings(record).items()
        if command in how.commands
    ]
