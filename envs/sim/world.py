"""The embedded world: a phone and a desktop with one clock and one account."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from omnipilot.envs.base import Capability, Thinking, World
from omnipilot.envs.sim.apps.desktop.video_player import with_films_at_their_end
from omnipilot.envs.sim.capture import NO_FAULTS
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.env import SimEnv
from omnipilot.envs.sim.faults import Faults
from omnipilot.envs.sim.move_memo import MoveMemo
from omnipilot.envs.sim.state.events import advance
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.types.errors import EnvLost

FROZEN = Thinking()
HISTORY_SECONDS = 120.0
"""Minimum time covered by the history for videos; a longer wait is covered too."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A saved world: its state, and earlier states that a video may still show."""

    state: WorldState
    history: tuple[WorldState, ...]


class SimWorld(World):
    """A phone and a desktop.

    The state is one immutable `WorldState`, replaced by every verb and every second. Equal instances and equal
    actions give equal pixels and samples.

    Args:
        thinking: whether time passes while models think.
        faults: faults of the observed elements; `ui_tree`, which judges read, has none.
        memo: shared with other worlds: what one of them did, the others need not do again in the same state. Forks
            share it, too.
    """

    capabilities = frozenset({Capability.STATE, Capability.SNAPSHOTS, Capability.FORKS})

    def __init__(self, thinking: Thinking = FROZEN, faults: Faults = NO_FAULTS, memo: MoveMemo | None = None) -> None:
        self.thinking = thinking
        self.faults = faults
        self._memo = memo
        self._closed = False
        self._state = initial_world(0)
        self._history: list[WorldState] = [self._state]
        self._envs = {"phone": SimEnv("phone", self, faults, memo), "desktop": SimEnv("desktop", self, faults, memo)}

    @property
    def envs(self) -> Mapping[str, SimEnv]:
        """The devices by name: "phone" and "desktop"."""
        return MappingProxyType(self._envs)

    @property
    def now(self) -> float:
        """Seconds since the last reset."""
        return self._state.time

    def state(self) -> WorldState:
        """The whole state, for judges; see `WorldState`."""
        return self._state

    def lasting_part(self, state: WorldState) -> tuple[object, ...]:
        """The account, and both clipboards; a film that runs comes to its end by itself."""
        return with_films_at_their_end(state.account), state.phone.clipboard, state.desktop.clipboard

    def reset(self, instance: int) -> None:
        """Start over with the content of an instance; no app is open."""
        self._open()
        self._state = initial_world(instance)
        self._history = [self._state]
        for env in self._envs.values():
            env.forget()

    def prepare(self, change: Callable[[WorldState], WorldState]) -> None:
        """Set up content before an episode; no time passes, and no video shows the change."""
        self._open()
        self._state = change(self._state)
        self._history = [self._state]

    def change(self, step: Callable[[WorldState], WorldState], seconds: float, name: Hashable = None) -> None:
        """Apply a step that takes some seconds; a step that raises changes nothing.

        Args:
            name: says which step it is: steps of one name do the same in the same state, in the same time; None for one
                that is not remembered.
        """
        self._open()
        before, memo = self._state, None if name is None else self._memo
        passed = None if memo is None else memo.move(before, name)
        if passed is None:
            passed = _states_of(before, step, seconds)
            if memo is not None:
                memo.keep_move(before, name, passed)
        *earlier, self._state = passed
        self._history += earlier
        while len(self._history) > 1 and self._history[1].time < self._state.time - max(HISTORY_SECONDS, seconds):
            del self._history[0]

    def wait(self, seconds: float) -> None:
        """Let time pass on both devices; due events happen in order, each at its exact time.

        Raises:
            ValueError: the seconds are not a finite number of at least 0.
        """
        if not (math.isfinite(seconds) and seconds >= 0):
            raise ValueError(f"seconds must be a finite number of at least 0, not {seconds!r}")
        self.change(lambda state: state, seconds, ("wait", seconds))

    def think(self, measured: float) -> None:
        """Let the time of a decision pass, which took `measured` seconds of wall time."""
        seconds = self.thinking.elapsed(measured)
        if seconds > 0:
            self.wait(seconds)

    def history(self, since: float) -> tuple[WorldState, ...]:
        """The states from the one at `since` up to now, each with its start time."""
        first = 0
        for i, state in enumerate(self._history):
            if state.time <= since:
                first = i
        return tuple(self._history[first:])

    def snapshot(self) -> Snapshot:
        """The whole world, for `restore`; nothing is copied, because states are immutable."""
        return Snapshot(self._state, tuple(self._history))

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot exactly."""
        self._open()
        self._state = snapshot.state
        self._history = list(snapshot.history)

    def fork(self) -> SimWorld:
        """Another world in this state; nothing is copied, because states are immutable."""
        self._open()
        other = SimWorld(self.thinking, self.faults, self._memo)
        other.restore(self.snapshot())
        return other

    def remember(self, moves: int) -> None:
        """Let this world and its later forks take over moves from each other (`MoveMemo`), unless they do already.

        It changes no state, no picture and no sound.

        Args:
            moves: that are kept; at least 1.
        """
        if self._memo is None:
            self._memo = MoveMemo(moves)
            for env in self._envs.values():
                env.remember(self._memo)

    def _open(self) -> None:
        if self._closed:
            raise EnvLost("this simulated world was closed")

    def close(self) -> None:
        """Release everything. May be called twice."""
        self._closed = True

    def alive(self) -> WorldState:
        """The state of an open world.

        Raises:
            EnvLost: the world was closed.
        """
        self._open()
        return self._state


def _states_of(state: WorldState, step: Callable[[WorldState], WorldState], seconds: float) -> tuple[WorldState, ...]:
    """The states that come of a step and the time that it takes: those for the history, and last the present one."""
    passed: list[WorldState] = []
    changed = step(state)
    if changed is not state:
        passed.append(changed)
    passed.append(advance(changed, seconds, passed.append))
    return tuple(passed)
