"""The commands of the command line: the engine's and those of plug-ins, each made when it is called or shown."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, TypeAlias

import typer
import typer.core
import typer.main
from typer.models import CommandInfo, TyperInfo

from omnipilot.bench.cli.parsing.usage_errors import USAGE_ERROR, explain_usage
from omnipilot.bench.cli.parsing.variables import name_variable, name_variables, refuse_strange_variables, variables_set
from omnipilot.bench.settings import SECTIONS
from omnipilot.envs import Command, ConfigError, OmnipilotError

Declaration: TypeAlias = CommandInfo | TyperInfo
"""A command, or a group of commands, as typer keeps it until it is made."""
OWN = typer.Typer()
"""The engine's commands: `app.py` declares them here."""
OTHERS = "Options"
"""The heading of options that name no other."""
HEADINGS: Mapping[str, tuple[str, ...]] = {
    "Begin here": ("demo", "list", "run", "report", "view", "doctor"),
    "While runs play": ("status", "merge"),
    "With people": ("play", "record", "policy"),
    "Compare": ("compare", "sweep", "grid", "ablate", "study", "plan", "stops", "macros"),
    "Look into runs": ("show", "show-prompt", "memory", "fork", "attribute", "rerender"),
    "For papers and others": ("table", "figure", "export", "pack", "verify", "score", "miniature"),
    "Tasks": ("prove", "audit"),
    "Grounders and models": ("ground", "calibrate", "serve"),
    "Devices": ("env", "desktop"),
}
"""The headings of `--help`, each with its commands; one of a plug-in that stands nowhere comes under the last."""
MORE = "More"


class CommandGroup(typer.core.TyperGroup):
    """All commands by name. `--help` makes none of them, and a call only its own, which is what takes time.

    Each option of each command reads an environment variable, see `omnipilot.bench.cli.parsing.variables`. A name that
    the engine has is the engine's. What would end the program unseen, such as a plug-in that raises SystemExit(0), is
    an error.
    """

    def make_context(self, info_name: Any, args: Any, parent: Any = None, **extra: Any) -> Any:
        """Read the options before the command.

        Raises:
            ConfigError: there is no such option; the message says which one was meant.
        """
        try:
            return super().make_context(info_name, args, parent, **extra)
        except USAGE_ERROR as error:
            _explain(error)
            raise

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """The names of all commands, the engine's first."""
        return list(_help_lines())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """The command of a name, with the variables of its options; None if there is none.

        Raises:
            ConfigError: a plug-in declares it, and it cannot be imported.
        """
        own = _own().get(cmd_name)
        command = _make(cmd_name, own) if own is not None else _load(cmd_name)
        if command is not None:
            name_variables(command, cmd_name)
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that arguments name.

        Raises:
            ConfigError: an environment variable looks like one of its options, and is none.
        """
        found = super().resolve_command(ctx, args)
        name, command, _ = found
        if name is not None and command is not None:
            refuse_strange_variables(command, name, self.list_commands(ctx))
        return found

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write a line for each command, below its heading."""
        lines = _help_lines()
        longest = max(map(len, lines))
        room = formatter.width - 6 - longest
        shown = {
            name: typer.core.TyperCommand(name, help=text).get_short_help_str(room) for name, text in lines.items()
        }
        headed = {name for names in HEADINGS.values() for name in names}
        for heading, names in {**HEADINGS, MORE: tuple(name for name in lines if name not in headed)}.items():
            if records := [(name.ljust(longest), shown[name]) for name in names if name in shown]:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def invoke(self, ctx: Any) -> Any:
        """Carry out a command.

        Raises:
            OmnipilotError: code of others tried to end the program; the message names it.
        """
        try:
            return super().invoke(ctx)
        except USAGE_ERROR as error:
            if isinstance(error, typer.BadParameter):
                name_variable(error)
            _explain(error)
            raise
        except OmnipilotError:
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            if names := variables_set(command) if command is not None else []:
                typer.echo(f"set by environment variables: {', '.join(names)}", err=True)
            raise
        except (Exception, KeyboardInterrupt):
            raise
        except BaseException as error:
            from omnipilot.envs.types.foreign_exits import exit_words

            raise OmnipilotError(exit_words(error)) from error


class SectionedCommand(typer.core.TyperCommand):
    """A command whose help lists its options under the headings that they name as their `rich_help_panel`."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options of each section, those without one last."""
        told: dict[str, list[tuple[str, str]]] = {"Arguments": [], **{name: [] for name in SECTIONS}, OTHERS: []}
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) is None:
                continue
            usual = "Arguments" if parameter.param_type_name == "argument" else OTHERS
            told[getattr(parameter, "rich_help_panel", None) or usual].append(record)
        for name, records in told.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)


def _explain(error: Exception) -> None:
    """Raise a usage error as one of ours, which says what was meant; nothing happens where there is nothing to say.

    Raises:
        ConfigError: with the explanation.
    """
    if told := explain_usage(error):
        raise ConfigError(told) from None


def _own() -> dict[str, Declaration]:
    """The engine's commands by name, in the order in which they are declared; groups last."""
    commands = {
        one.name or one.callback.__name__.replace("_", "-"): one for one in OWN.registered_commands if one.callback
    }
    return {**commands, **{str(one.name): one for one in OWN.registered_groups}}


def _declared() -> dict[str, Command]:
    """The commands of plug-ins by name, ours first; nothing of theirs is imported."""
    from omnipilot.envs.installed_plugins import installed_plugins

    found: dict[str, Command] = {}
    for one in installed_plugins().working:
        found |= {name: command for name, command in one.plugin.commands.items() if name not in found}
    return found


def _help_lines() -> dict[str, str]:
    """What each command does, in the words of its docstring or of its plug-in's record."""
    own = {name: _help(one) for name, one in _own().items()}
    return {**own, **{name: one.help for name, one in _declared().items() if name not in own}}


def _help(one: Declaration) -> str:
    if isinstance(one, CommandInfo):
        return one.help or inspect.getdoc(one.callback) or ""
    return str(one.typer_instance.info.help) if one.typer_instance is not None else ""


def _load(name: str) -> Any:
    """A plug-in's command; None if no plug-in declares the name.

    Raises:
        ConfigError: it cannot be imported, or two packages declare it.
    """
    from omnipilot.envs.installed_plugins import choose_declared, installed_plugins, load_declared

    one = choose_declared("command", name, installed_plugins().declared("commands"))
    if one is None:
        return None
    target = load_declared("command", one)
    return _make(
        name, TyperInfo(target, name=name) if isinstance(target, typer.Typer) else CommandInfo(name, callback=target)
    )


def _make(name: str, one: Declaration) -> Any:
    """The command that a declaration describes."""
    around = typer.Typer(add_completion=False, rich_markup_mode=None)
    around.callback()(lambda: None)
    (around.registered_commands if isinstance(one, CommandInfo) else around.registered_groups).append(one)  # type: ignore[arg-type]
    return typer.main.get_group(around).commands[name]
