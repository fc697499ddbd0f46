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
        self._screens: dict[str, Elements | Absent] = {}

    def begin(self, world: World, task: Task, seed: int) -> None:
        """Follow an episode from its start, at which the task has been set up."""
        self._world, self._task, self._seed = world, task, seed
        self._demonstration, self._screens = None, {}

    def end(self) -> None:
        """Forget the episode."""
        self._world, self._task, self._demonstration, self._screens = None, None, None, {}

    def looked(self, observation: Observation) -> None:
        """Keep the elements of the screen that was just observed.

        They are read now, because a page goes on by itself while an agent thinks about what it saw.
        """
        device = self._world.envs.get(observation.env) if self._world is not None else None
        self._screens[observation.env] = device.ui_tree() if isinstance(device, UiTree) else _listed(observation)

    @property
    def seed(self) -> int:
        """Of the episode."""
        return self._seed

    def elements(self, env: str) -> Elements | Absent:
        """Every element on the screen that was observed last: what judges read, or else what the capture lists."""
        return self._screens.get(env, Absent("unsupported", f"nothing was observed of {env}"))

    def demonstration(self) -> tuple[Move, ...]:
        """The task's solution, computed once an episode, from the task's start."""
        if self._demonstration is None:
            if self._world is None or self._task is None or self._task.solution is None:
                told = "there is no episode" if self._task is None else f"{self._task.id!r} has no solution"
                raise ConfigError(f"{told}; leave the task out with --tasks, or choose another planner")
            self._demonstration = tuple(self._task.solution(self._world))
        return self._demonstration


def _listed(observation: Observation) -> Elements | Absent:
    """The elements of an observation, if they are more than what was recognised on its screenshot."""
    listed = observation.elements
    if isinstance(listed, Absent) or any(element.source != "tree" for element in listed):
        return Absent("unsupported", f"nothing knows the true elements of {observation.env}")
    return listed
