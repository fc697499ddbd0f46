"""The environment variable of each option of the command line: OMNIPILOT_RUN_PLANNER is `omnipilot run --planner`.

A variable counts as its flag would that was given; a flag overrides it, and it overrides a file. One that is empty
counts as not set. Of an option that may be given several times it holds the values with spaces between them. Keys of
models are no options, so no variable of these holds one: an option such as `key_env` names the variable that does.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from typing import Any

from omnipilot.envs import ConfigError

PREFIX = "OMNIPILOT"


def variable_of(*path: str) -> str:
    """The variable of an option.

    Args:
        path: the names of its command, one for each level, and its own, without dashes before it.
    """
    return "_".join((PREFIX, *path)).replace("-", "_").upper()


def name_variables(command: Any, *path: str) -> None:
    """Let each option of a command, and of those within it, read its variable.

    The help does not repeat the variable of each option, but says at its end how they are called.

    Args:
        path: the name of the command, after those of the commands that it lies within.
    """
    for name, inner in getattr(command, "commands", {}).items():
        name_variables(inner, *path, name)
    for option in _options(command):
        option.envvar = variable_of(*path, _flag(option))
        option.show_envvar = False
    if example := next((_flag(option) for option in _options(command)), ""):
        command.epilog = (
            f"Each option has an environment variable: {variable_of(*path, example)} is --{example}. A flag overrides "
            "it, and it overrides a file."
        )


def refuse_strange_variables(command: Any, name: str, names: Collection[str]) -> None:
    """Refuse variables that begin like those of a command and belong to none of its options.

    Args:
        command: whose options have their variables, see `name_variables`. name: its name. names: of all commands; a
            variable of `show-prompt` is none of `show`.

    Raises:
        ConfigError: there is one; the message names the nearest that there is.
    """
    mine = sorted(_variables(command))
    others = tuple(f"{variable_of(one)}_" for one in names if one.startswith(f"{name}-"))
    for variable in sorted(os.environ):
        begins = variable.startswith(f"{variable_of(name)}_") and not variable.startswith(others)
        if begins and variable not in mine:
            from omnipilot.agents.assembly.registry import describe_unknown

            told = describe_unknown("option with the environment variable", variable, mine)
            raise ConfigError(f"{told}; unset it, or give it the name of an option of `omnipilot {name} --help`")


def name_variable(error: Any) -> None:
    """Let the message about a bad value name the variable that it came from, if it did."""
    option, ctx = error.param, error.ctx
    variable = getattr(option, "envvar", None)
    if ctx is None or not variable or error.param_hint is not None:
        return
    if getattr(ctx.get_parameter_source(option.name), "name", "") == "ENVIRONMENT":
        error.param_hint = f"'--{_flag(option)}' (the environment variable {variable})"


def variables_set(command: Any) -> list[str]:
    """The variables of a command's options that are set; of a group, those of all commands in it."""
    return [variable for variable in _variables(command) if os.environ.get(variable)]


def _variables(command: Any) -> Iterator[str]:
    for inner in getattr(command, "commands", {}).values():
        yield from _variables(inner)
    yield from (option.envvar for option in _options(command))


def _options(command: Any) -> list[Any]:
    return [one for one in command.params if one.param_type_name == "option"]


def _flag(option: Any) -> str:
    """The long name of an option: "no-probe" belongs to "probe"."""
    return str(max(option.opts, key=len)).lstrip("-")
