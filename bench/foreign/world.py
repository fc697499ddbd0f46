"""The world of tasks that a foreign process begins, plays and ends."""

from __future__ import annotations

import contextlib
import time
from abc import abstractmethod

from omnipilot.bench.foreign.process import ForeignProcess
from omnipilot.envs import ConfigError, EnvLost, Thinking, World


class ForeignWorld(World):
    """A world in a process of its own, on the clock of the wall. Its script has a handler `close`.

    Args:
        process: which plays the tasks; it is ended with the world.
        patience: seconds in which its script has to have closed what it started.
    """

    def __init__(self, process: ForeignProcess, thinking: Thinking, patience: float) -> None:
        self.thinking = thinking
        self._process = process
        self._patience = patience
        self._task = ""
        self._begun = time.monotonic()

    @property
    def now(self) -> float:
        """Wall-clock seconds since the last reset."""
        return time.monotonic() - self._begun

    @abstractmethod
    def start(self, task: str, instance: int) -> str:
        """Begin a task with a seed; returns the instruction."""

    def reset(self, instance: int) -> None:
        """Begin the current task again.

        Raises:
            ConfigError: no task has been started yet.
        """
        if not self._task:
            raise ConfigError("this world has no task yet; call start(task, instance) first")
        self.start(self._task, instance)

    def think(self, measured: float) -> None:
        """Does nothing: the process runs in real time anyway."""

    def close(self) -> None:
        """End the process, and what it has started. May be called twice."""
        if self._process.alive:
            with contextlib.suppress(EnvLost):
                self._process.ask("close", self._patience)
        self._process.close()
