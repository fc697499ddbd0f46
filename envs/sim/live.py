"""The embedded phone in real time: its world goes on by the wall clock, as a real phone's does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Hashable, Mapping
from types import MappingProxyType

from omnipilot.envs.base import Thinking
from omnipilot.envs.clock import WallClock
from omnipilot.envs.sim.env import SimEnv
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.world import SimWorld
from omnipilot.envs.types.actions import Action
from omnipilot.envs.types.observation import Modality, Observation


class LivePhone(SimWorld):
    """The embedded phone beside real devices.

    Before it is looked at or touched, its world catches up with the clock. An action takes the time that it takes in
    the embedded world, so its clock may be ahead by that until the wall clock has caught up. It may be
    asked from several threads.

    Args:
        clock: of the world that it is part of, which restarts it; by default it has a clock of its own.
    """

    def __init__(self, clock: WallClock | None = None) -> None:
        self._own_clock = clock is None
        self._clock = clock or WallClock()
        self._lock = threading.RLock()
        super().__init__(Thinking())
        self._live = {"phone": _LiveEnv(self)}

    @property
    def envs(self) -> Mapping[str, SimEnv]:
        """The phone, as "phone"."""
        return MappingProxyType(self._live)

    @property
    def now(self) -> float:
        """Wall seconds since the last reset."""
        return self._clock.now

    def state(self) -> WorldState:
        """The whole state at this moment."""
        self.catch_up()
        return super().state()

    def reset(self, instance: int) -> None:
        """Start over with the content of an instance; no app is open."""
        with self._lock:
            super().reset(instance)
            self._live["phone"].forget()
            if self._own_clock:
                self._clock.restart()

    def catch_up(self) -> None:
        """Let the world go on until the present."""
        with self._lock:
            behind = self._clock.now - self.alive().time
            if behind > 0:
                super().wait(behind)

    def change(self, step: Callable[[WorldState], WorldState], seconds: float, name: Hashable = None) -> None:
        """Apply a step that takes some seconds; a step that raises changes nothing."""
        with self._lock:
            super().change(step, seconds, name)

    def wait(self, seconds: float) -> None:
        """Wait in real time."""
        time.sleep(seconds)
        self.catch_up()

    def think(self, measured: float) -> None:
        """Do nothing: the phone kept running."""


class _LiveEnv(SimEnv):
    def __init__(self, world: LivePhone) -> None:
        super().__init__("phone", world, world.faults)
        self._world = world

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        """The phone as it is now."""
        self._world.catch_up()
        return super().observe(modalities, since)

    def act(self, action: Action) -> None:
        """Execute one action on the phone as it is now."""
        self._world.catch_up()
        super().act(action)
