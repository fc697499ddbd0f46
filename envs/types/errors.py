"""Errors of the environments, by who should react to them.

`ActionRejected` and `NotFound` go back to the agent, `EnvLost` makes the episode void, `MissingExtra` and
`ConfigError` are for the user and carry their cure. Anything else that is raised is a bug.
"""

from __future__ import annotations

import importlib
from types import ModuleType


class OmnipilotError(Exception):
    """Base of every error that omnipilot raises on purpose."""


class ActionRejected(OmnipilotError):
    """The environment will not do this action; the message is written for the agent that proposed it."""


class NotFound(ActionRejected):
    """A described or named place is not on the screen; the message is written for the agent."""


class MalformedAction(OmnipilotError, ValueError):
    """The JSON of an action is not one; the message tells a model what was wrong, field by field."""


class EnvLost(OmnipilotError):
    """The device or page is gone. The episode is void: it says nothing about the agent."""


class ConfigError(OmnipilotError):
    """The user asked for something that cannot be; the message says what to write instead."""


class MissingExtra(ConfigError):
    """An optional dependency is not installed; the message is the line that installs it."""

    def __init__(self, extra: str, module: str) -> None:
        super().__init__(f"{module!r} is not installed; run: pip install 'omnipilot[{extra}]'")
        self.extra = extra
        self.module = module

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        return type(self), (self.extra, self.module)


def require(module: str, extra: str) -> ModuleType:
    """Import an optional dependency where it is used.

    Raises:
        MissingExtra: `module` (or a package it needs) is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtra(extra, error.name or module) from error
