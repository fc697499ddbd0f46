"""Suite `free`: one instruction of the user's own, carried out on the devices of a world file and not judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.bench.tasks.unjudged import unjudged_task
from omnipilot.envs import ConfigError, Modality, Thinking, World
from omnipilot.envs.composite import check_world, missing_requirements, open_world, world_conditions
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.envs.web import chromium_version

ID = "instruction"


class Free(Suite):
    """One instruction of your own, in a world of your own: `run --world my.toml --task "Rename the newest photo"`.

    Its episodes are recorded as any others, and end `unjudged`: only a person can say whether the user's wish was
    fulfilled.

    Args:
        task: the instruction. world: the devices, as `omnipilot.envs.composite.read_world` gives them.

    Raises:
        ConfigError: an instruction without devices, devices without an instruction, or what are no devices.
    """

    name = "free"
    version = "1"

    def __init__(self, task: str = "", world: Mapping[str, Any] | None = None) -> None:
        if bool(task.strip()) != (world is not None):
            lacks = "a world to work in: add --world FILE" if task else 'an instruction: add --task "…"'
            raise ConfigError(f"suite free needs {lacks}")
        if world is not None:
            check_world(world)
        self._task = task.strip()
        self._world = world

    def tasks(self) -> Sequence[TaskInfo]:
        """The one instruction; none before one is given."""
        if self._world is None:
            return ()
        return (TaskInfo(ID, self._task, tuple(self._world["devices"]), seeded=False),)

    def instantiate(self, task_id: str, instance: int) -> Task:
        """The instruction; an instance is only a repetition.

        Raises:
            ConfigError: no such task, or no instruction was given.
        """
        if task_id != ID or self._world is None:
            raise ConfigError(f"there is no task {task_id!r}; {nearest(task_id, [info.id for info in self.tasks()])}")
        return unjudged_task(ID, instance, self._task)

    def conditions(self, shown: frozenset[Modality]) -> Mapping[str, str]:
        """What its devices will find on this machine.

        Raises:
            MissingExtra, ConfigError: what a device cannot do without is not installed.
        """
        return {} if self._world is None else world_conditions(self._world, shown)

    def programs(self) -> Mapping[str, str]:
        """The version of the browser, if one of its devices is one.

        Raises:
            MissingExtra, ConfigError: Playwright or Chromium is missing.
        """
        browsed = any(device["kind"] == "browser" for device in (self._world or {"devices": {}})["devices"].values())
        return {"Chromium": chromium_version()} if browsed else {}

    def world(self, thinking: Thinking) -> World:
        """The devices, started.

        Raises:
            ConfigError: none are given, or one cannot be started.
        """
        if self._world is None:
            raise ConfigError("suite free needs a world to work in: add --world FILE")
        return open_world(self._world, thinking)

    def lacking(self, tasks: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """What this machine lacks; see `Suite.lacking`."""
        return [] if self._world is None else missing_requirements(self._world)
