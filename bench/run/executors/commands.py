"""What a run does with the commands of persons: takes each once, and answers it in the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.bench.journal.control import BUDGET, ControlFile, RunCommand
from omnipilot.bench.journal.events import PersonActed
from omnipilot.bench.journal.journal import Journal
from omnipilot.bench.journal.results import Slot, Survey

if TYPE_CHECKING:
    from omnipilot.bench.run.executors.coordinator import Dispatch


class CommandTaker:
    """Takes commands while episodes are played.

    Cancelled episodes and raised limits of episodes are answered once they are: by whoever ends or plays the episode.
    """

    def __init__(self, state: Dispatch, control: ControlFile) -> None:
        self._state = state
        self._control = control

    def take(self) -> None:
        """Do what was asked since the last time."""
        for command in self._control.new():
            if (answer := self._do(command)) is not None:
                self._state.journal.append(answer)
                self._state.journal.sync()

    def _do(self, command: RunCommand) -> PersonActed | None:
        if command.action in ("pause", "resume"):
            return self._pause(command, command.action == "pause")
        if command.action == "requeue":
            return self._requeue(command)
        if command.action == "raise" and command.limit == BUDGET:
            return self._raise_budget(command)
        player = self._state.player_of(command.key)
        if player is None:
            return command.acted(refused="the episode is not being played")
        if command.action == "cancel":
            cancelled = self._state.cancel(player, command)
            return None if cancelled else command.acted(player.attempt, refused="it is being cancelled already")
        return self._raise(command)

    def _pause(self, command: RunCommand, pause: bool) -> PersonActed:
        if self._state.paused == pause:
            return command.acted(refused=f"the run is {'paused already' if pause else 'not paused'}")
        self._state.paused = pause
        return command.acted()

    def _requeue(self, command: RunCommand) -> PersonActed:
        attempt, void = self._state.ends.get(command.key, (0, False))
        if not void:
            return command.acted(refused="no void episode has this name")
        self._state.requeue(Slot.of_key(command.key))
        return command.acted(attempt)

    def _raise_budget(self, command: RunCommand) -> PersonActed:
        spending = self._state.spending
        if spending.most is None:
            return command.acted(refused="the run has no budget")
        if command.value is None or command.value <= spending.most:
            return command.acted(before=spending.most, refused="a budget can only be raised")
        before, spending.most = spending.most, command.value
        return command.acted(before=before)

    def _raise(self, command: RunCommand) -> PersonActed | None:
        player = self._state.player_of(command.key)
        if player is None or player.tally is None:
            return command.acted(refused="the episode has not begun")
        before = player.tally.started.limits.get(command.limit)
        if before is None:
            return command.acted(player.attempt, refused=f"the episode has no limit on {command.limit}")
        if command.value is None or command.value <= before:
            return command.acted(player.attempt, before, f"the limit on {command.limit} can only be raised")
        player.raise_limit(command)
        return None


def take_waiting(control: ControlFile, journal: Journal, done: Survey) -> bool:
    """Answer what was asked while no run was going on: void episodes are played once more, all else is too late.

    Args:
        done: what the journal says.

    Returns:
        Whether anything was asked.
    """
    void = {episode.key: episode.attempt for episode in done.episodes if episode.void}
    asked = list(control.new())
    for command in asked:
        if command.action == "requeue" and command.key in void:
            journal.append(command.acted(void[command.key]))
        else:
            journal.append(command.acted(refused="no run was going on"))
    return bool(asked)
