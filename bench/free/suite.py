"""Suites `free` and `page`: instructions of the user's own, on the devices of a world file or on a web page."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.free.readings import judge_check, open_for_checks
from omnipilot.bench.free.task_list import OwnTask, judged_by, read_checks, read_tasks, template_tags
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo, TaskVoid, values_of
from omnipilot.bench.tasks.unjudged import unjudged_task
from omnipilot.envs import ConfigError, Modality, Thinking, World
from omnipilot.envs.composite import check_world, missing_requirements, world_conditions
from omnipilot.envs.web import chromium_version
from omnipilot.envs.web.navigation import address_mistake

ID = "instruction"


class Free(Suite):
    """Instructions of your own, in a world of your own: `run --world my.toml --task "Rename the newest photo"`.

    Its episodes are recorded as any others. An instruction with checks is judged when the agent has made its last
    move: it is solved if all of them hold. Episodes of one without checks end `unjudged`: only a person can say
    whether the user's wish was fulfilled.

    Args:
        task: the instruction. check: what judges it, as in `omnipilot.bench.free.checks`; none for nobody.
        world: the devices, as `omnipilot.envs.composite.read_world` gives them.
        tasks: further instructions, as `[[tasks]]` of a world file has them; they are there if `task` is not.

    Raises:
        ConfigError: an instruction without devices, devices without an instruction, or what are no devices; a check
            that is none, or that no device can answer.
    """

    name = "free"
    version = "2"

    def __init__(
        self,
        task: str = "",
        world: Mapping[str, Any] | None = None,
        check: str | Sequence[str] = (),
        tasks: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        if bool(task.strip() or tasks) != (world is not None):
            lacks = self._lacks_world if task else 'an instruction: add --task "…", or [[tasks]] to the world file'
            raise ConfigError(f"suite {self.name} needs {lacks}")
        checks = (check,) if isinstance(check, str) else tuple(check)
        if checks and not task.strip():
            raise ConfigError('--check judges the instruction of --task; tasks of a world file have checks = ["…"]')
        self._world = world
        self._tasks: dict[str, OwnTask] = {}
        self._tags: dict[str, dict[str, str]] = {}
        if world is None:
            return
        check_world(world)
        devices = world["devices"]
        if task.strip():
            found = read_checks(checks, devices)
            if shells := [one.written for one in found if one.kind == "shell"]:
                raise ConfigError(
                    f"--check {shells[0]!r}: a command is run on the device, so it is taken from a file that you wrote "
                    'alone: put the task with it into the world file, as [[tasks]] with checks = ["…"]'
                )
            self._tasks = {ID: OwnTask(ID, task.strip(), found)}
        else:
            self._tasks = {one.id: one for one in read_tasks(tasks, devices)}
        self._tags = template_tags((one.id, judged_by(one.checks), one.template) for one in self._tasks.values())

    _lacks_world = "a world to work in: add --world FILE"

    def tasks(self) -> Sequence[TaskInfo]:
        """The instructions; none before one is given."""
        devices = tuple((self._world or {"devices": ()})["devices"])
        return [
            TaskInfo(one.id, one.instruction, devices, self._tags[one.id], seeded=False) for one in self._tasks.values()
        ]

    def templates_of(self, task_id: str) -> Collection[str]:
        """The template that its author names, and that of tasks which the same checks judge."""
        return values_of(self._tags.get(task_id, {}), "template")

    def instantiate(self, task_id: str, instance: int) -> Task:
        """An instruction; an instance is only a repetition.

        Raises:
            ConfigError: no such task, or no instruction was given.
        """
        own = self._tasks.get(task_id)
        if own is None:
            raise ConfigError(describe_unknown("task", task_id, list(self._tasks)))
        if not own.checks:
            return replace(unjudged_task(own.id, instance, own.instruction), tags=self._tags[own.id])
        judges = tuple(Judge(one.written, partial(judge_check, one), "end", one.device) for one in own.checks)

        def setup(world: World) -> str:
            world.reset(instance)
            # Each check is asked once, so that what a device cannot answer is said before an agent begins.
            if all(judge(Case(world)).reached for judge in judges):
                raise TaskVoid(
                    f"all checks of {own.id!r} hold before anything was done: {'; '.join(one.name for one in judges)}; "
                    "add one that holds only when it has been done"
                )
            return own.instruction

        return Task(own.id, instance, setup, JudgeGraph(judges), tags=self._tags[own.id])

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
            ConfigError: none are given, one cannot be started, or one gives judges nothing by which a check of any of
                the tasks could be answered.
        """
        if self._world is None:
            raise ConfigError(f"suite {self.name} needs {self._lacks_world}")
        every = [one for task in self._tasks.values() for one in task.checks]
        return open_for_checks(self._world, thinking, every)

    def lacking(self, tasks: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """What this machine lacks; see `Suite.lacking`."""
        return [] if self._world is None else missing_requirements(self._world)


class AnyPage(Free):
    """Instructions of your own on a web page: `run --suite page --url URL --task "Subscribe" --check "url contains
    /thanks"`.

    Args:
        url: where each episode begins, with an empty browser. task, check: as in `Free`.
        size: of the page in pixels.

    Raises:
        ConfigError: as in `Free`; or an instruction without an address, or the other way round.
    """

    name = "page"
    version = "1"
    _lacks_world = "a page to begin on: add --url URL"

    def __init__(self, task: str = "", url: str = "", check: str | Sequence[str] = (), size: str = "1280x800") -> None:
        if url and (told := address_mistake(url)):
            raise ConfigError(f"--url {told}")
        page = {"kind": "browser", "url": url, "size": size}
        super().__init__(task, {"devices": {"page": page}} if url else None, check)
