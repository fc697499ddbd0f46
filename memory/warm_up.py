"""Warming up: what a part does once in a process, such as loading a model, done before any clock runs."""

from __future__ import annotations

import contextlib
from typing import Protocol, runtime_checkable

from omnipilot.envs import OmnipilotError


@runtime_checkable
class WarmsUp(Protocol):
    """A planner, grounder, memory, critic or any other part whose first use in a process takes longer than the next."""

    def warm_up(self) -> None:
        """Import, load and connect what the first use would; a second call does nothing of it again.

        No model is asked for an answer. What cannot be done, because a server is down or a package is missing, may be
        raised as one of our errors: the first use meets it again.
        """
        ...


def warm_up(*parts: object) -> None:
    """Warm up those of the parts that can be, one after the other.

    One of our errors in a part keeps no other part from its turn, and is not raised: the first use of that part meets
    it again, in an episode, where it is known what follows from it. Anything else is a bug, and is raised.
    """
    for part in parts:
        if isinstance(part, WarmsUp):
            with contextlib.suppress(OmnipilotError):
                part.warm_up()
