"""A world without a task, for whoever opens it to do what they like."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from omnipilot.bench.tasks import Suite, Task, TaskInfo, unjudged_task
from omnipilot.envs import ConfigError, Thinking, World

ID = "world"


class OpenWorld(Suite):
    """A suite of one task that asks for nothing and is not judged.

    Args:
        make: makes the world.
    """

    name = "open-world"
    version = "1"

    def __init__(self, make: Callable[[], World]) -> None:
        self._make = make

    def tasks(self) -> Sequence[TaskInfo]:
        """The one task."""
        return (TaskInfo(ID, "the world, as it is", (), seeded=False),)

    def instantiate(self, task_id: str, instance: int) -> Task:
        """The one task.

        Raises:
            ConfigError: it is another.
        """
        if task_id != ID:
            raise ConfigError(f"there are no tasks here, so none of the name {task_id!r}")
        return unjudged_task(ID, instance)

    def world(self, thinking: Thinking) -> World:  # noqa: ARG002
        """The world, which the caller closes."""
        return self._make()
