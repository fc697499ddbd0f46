"""Error classes, by who should react to them.

`ActionRejected` and `NotFound` go back to the agent, `EnvLost` makes the episode void, `MissingExtra` and
`ConfigError` are for the user and say how to fix the problem. Any other exception is a bug.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType

from omnipilot.envs.types.installation import install_line


class OmnipilotError(Exception):
    """Base of every error that omnipilot raises on purpose."""


class ActionRejected(OmnipilotError):
    """The environment rejects this action; the message is for the agent that proposed it."""


class NotFound(ActionRejected):
    """A described or named place is not on the screen; the message is for the agent."""


class MalformedAction(OmnipilotError, ValueError):
    """The JSON of an action is invalid; the message tells the model what is wrong with each field."""


class EnvLost(OmnipilotError):
    """The device or page is gone; the episode is void, because it says nothing about the agent."""


class ConfigError(OmnipilotError):
    """The user's configuration is invalid; the message says what to write instead."""


class MissingExtra(ConfigError):
    """An optional dependency is not installed; the message gives the install command.

    Args:
        without: how to ask for a run that does without it, in words; "" where there is no such way.
    """

    def __init__(self, extra: str, module: str, without: str = "") -> None:
        cure = f"run: {install_line(extra)}"
        super().__init__(f"{module!r} is not installed; {cure}{f'; or do without: {without}' if without else ''}")
        self.extra = extra
        self.module = module
        self.without = without

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str, str]]:
        return type(self), (self.extra, self.module, self.without)


def require(module: str, extra: str) -> ModuleType:
    """Import an optional dependency on use.

    Raises:
        MissingExtra: `module` (or a package it needs) is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtra(extra, error.name or module) from error


def check_installed(extra: str, *modules: str, without: str = "") -> None:
    """Check that optional dependencies are installed, without importing them.

    Args:
        modules: their top-level names. without: as for `MissingExtra`.

    Raises:
        MissingExtra: one is not installed.
    """
    for module in modules:
        if sys.modules.get(module) is None and importlib.util.find_spec(module) is None:
            raise MissingExtra(extra, module, without)
