"""The environment variable of each option of the command line: OMNIPILOT_RUN_PLANNER is `omnipilot run --planner`.

A variable counts as its flag would that was given; a flag overrides it, and it overrides a file. One that is empty
counts as not set. Of an option that may be given several times it holds the values with spaces between them. Keys of
models are no options, so no variable of these holds one: an option such as `key_env` names the variable that does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from omnipilot.envs import ConfigError

PREFIX = "OMNIPILOT"


def variable_of(*path: str) -> str:
    """The variable of an option.

    Args:
        path: the names of its command, one for each level, and its own, without dashes before it.
    """
    return "_".join((PREFIX, *path)).replace("-", "_").upper()


def name_variables(commands: Mapping[str, Any], *path: str) -> None:
    """Let each option of commands, and of those within them, read its variable.

    The help does not repeat the variable of each option, but says at its end how they are called.

    Args:
        commands: by name. path: the names of the commands that they lie within.
    """
    for name, command in commands.items():
        name_variables(getattr(command, "commands", {}), *path, name)
        for option in _options(command):
            option.envvar = variable_of(*path, name, _flag(option))
            option.show_envvar = False
        if example := next((_flag(option) for option in _options(command)), ""):
            command.epilog = (
                f"Each option has an environment variable: {variable_of(*path, name, example)} is --{example}. A flag "
                "overrides it, and it overrides a file."
            )


def refuse_strange_variables(commands: Mapping[str, Any], name: str) -> None:
    """Refuse variables that begin like those of a command and belong to none of its options.

    Raises:
        ConfigError: there is one; the message names the nearest that there is.
    """
    known = set(_variables(commands))
    for variable in sorted(os.environ):
        if variable.startswith(f"{variable_of(name)}_") and variable not in known:
            from omnipilot.agents.assembly.registry import unknown

            mine = sorted(one for one in known if one.startswith(f"{variable_of(name)}_"))
            told = unknown("option with the environment variable", variable, mine)
            raise ConfigError(f"{told}; unset it, or give it the name of an option of `omnipilot {name} --help`")


def name_variable(error: Any) -> None:
    """Let the message about a bad value name the variable that it came from, if it did."""
    option, ctx = error.param, error.ctx
    variable = getattr(option, "envvar", None)
    if ctx is None or not variable or error.param_hint is not None:
        return
    if getattr(ctx.get_parameter_source(option.name), "name", "") == "ENVIRONMENT":
        error.param_hint = f"'--{_flag(option)}' (the environment variable {variable})"


def variables_set(commands: Mapping[str, Any], name: str | None) -> list[str]:
    """The variables of a command's options that are set; of a group, those of all commands in it."""
    mine = {name: commands[name]} if name is not None and name in commands else {}
    return [variable for variable in _variables(mine) if os.environ.get(variable)]


def _variables(commands: Mapping[str, Any]) -> Iterator[str]:
    for command in commands.values():
        yield from _variables(getattr(command, "commands", {}))
        yield from (option.envvar for option in _options(command))


def _options(command: Any) -> list[Any]:
    return [one for one in command.params if one.param_type_name == "option"]


def _flag(option: Any) -> str:
    """The long name of an option: "no-probe" belongs to "probe"."""
    return str(max(option.opts, key=len)).lstrip("-")
