"""The truth about the running episode, for gold and graded parts and for the verdicts on pointing."""

from __future__ import annotations

from omnipilot.bench.tasks.task import Task
from omnipilot.envs import Absent, ConfigError, Elements, Observation, UiTree, World
from omnipilot.memory import Move


class EpisodeTruth:
    """Follows the episodes of one runner; implements `omnipilot.memory.truth.Truth`."""

    def __init__(self) -> None:
        self._world: World | None = None
        self._task: Task | None = None
        self._seed = 0
        self._demonstration: tuple[Move, ...] | None = None
        self._seen: dict[str, Observation] = {}

    def begin(self, world: World, task: Task, seed: int) -> None:
        """Follow an episode from its start, at which the task has been set up."""
        self._world, self._task, self._seed = world, task, seed
        self._demonstration, self._seen = None, {}

    def end(self) -> None:
        """Forget the episode."""
        self._world, self._task, self._demonstration, self._seen = None, None, None, {}

    def looked(self, observation: Observation) -> None:
        """Keep what was last captured of an environment."""
        self._seen[observation.env] = observation

    @property
    def seed(self) -> int:
        """Of the episode."""
        return self._seed

    def elements(self, env: str) -> Elements | Absent:
        """Every element on the screen: what judges read, or else what the recording or the capture lists."""
        device = self._world.envs.get(env) if self._world is not None else None
        if isinstance(device, UiTree):
            return device.ui_tree()
        seen = self._seen.get(env)
        return Absent("unsupported", f"nothing knows the elements of {env}") if seen is None else seen.elements

    def demonstration(self) -> tuple[Move, ...]:
        """The task's solution, computed once an episode, from the task's start."""
        if self._demonstration is None:
            if self._world is None or self._task is None or self._task.solution is None:
                told = "there is no episode" if self._task is None else f"{self._task.id!r} has no solution"
                raise ConfigError(f"{told}; leave the task out with --tasks, or choose another planner")
            self._demonstration = tuple(self._task.solution(self._world))
        return self._demonstration
