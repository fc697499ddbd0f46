"""Limits of an episode that a person may raise while it is played."""

from __future__ import annotations

import queue
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from omnipilot.agents import Ending, Limits
from omnipilot.agents.limits import Meter
from omnipilot.bench.journal.control import RunCommand
from omnipilot.bench.journal.events import Event


class RaisableMeter(Meter):
    """Takes what was asked just before limits are looked at, so that the record says which of them held.

    Args:
        limits: those at the start. key, attempt: of the episode.
        asked: commands to raise one of its limits, from any thread. emit: receives what came of each.
    """

    def __init__(
        self,
        limits: Limits,
        key: str,
        attempt: int,
        asked: queue.SimpleQueue[RunCommand],
        emit: Callable[[Event], None],
    ) -> None:
        super().__init__(limits)
        self._key = key
        self._attempt = attempt
        self._asked = asked
        self._emit = emit

    def exhausted(self, new_turn: bool) -> Ending | None:
        """The ending for a limit that was reached, if any, after what was asked in the meantime."""
        while not self._asked.empty():
            self._take(self._asked.get())
        return super().exhausted(new_turn)

    def _take(self, command: RunCommand) -> None:
        before, after = getattr(self.limits, command.limit), command.value
        if command.key != self._key:
            self._emit(command.acted(refused="the episode had ended"))
        elif before is None or after is None or after <= before:
            self._emit(command.acted(self._attempt, before, f"the limit on {command.limit} can only be raised"))
        else:
            raised: dict[str, Any] = {command.limit: after}
            self.limits = replace(self.limits, **raised)
            self._emit(command.acted(self._attempt, before))
