"""Warming up: one-time work of a part, such as loading a model, done before any clock runs."""

from __future__ import annotations

import contextlib
from typing import Protocol, runtime_checkable

from omnipilot.envs import OmnipilotError


@runtime_checkable
class WarmsUp(Protocol):
    """Whatever is slower at its first use in a process than later.

    A protocol that is asked for, and no method with a default body: parts of an agent have that one, in `AgentPart`,
    but they pass the call on to what they hold, such as model clients, transcribers, detectors and readers of text.
    Those have no base class in common, many are functions or classes of other packages, and most have nothing to warm
    up.
    """

    def warm_up(self) -> None:
        """Import, load and connect everything the first use would need; further calls do nothing.

        No model is called. If a server is down or a package is missing, it may raise one of our errors: the first use
        raises it again.
        """
        ...


def warm_up(*parts: object) -> None:
    """Warm up all parts that support it, one after the other.

    One of our errors in a part is not raised and does not stop the others: the first use of that part raises it again,
    within an episode, which knows how to handle it. Any other exception is a bug, and is raised.
    """
    for part in parts:
        if isinstance(part, WarmsUp):
            with contextlib.suppress(OmnipilotError):
                part.warm_up()
