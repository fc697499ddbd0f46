"""The suite `crab`: task files of CRAB v0 as runnable tasks.

CRAB's own sub-tasks are code for its Ubuntu VM and its Android emulator. So a table maps ids to sub-tasks: the embedded
world's, that of CRAB's own on the devices of a world file, or one of yours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from omnipilot.agents import Limits
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.finding import Finding
from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.crab.adjacency import Variant
from omnipilot.bench.suites.crab.data import GET, CrabTask, Use, load_tasks, version_of
from omnipilot.bench.suites.crab.joining import Joined, compose_task
from omnipilot.bench.suites.crab.live.handmade import FILE, read_handmade
from omnipilot.bench.suites.crab.live.pool import Replacements, Rules, live_findings, live_pool
from omnipilot.bench.suites.crab.pool_tasks import PoolTasks
from omnipilot.bench.suites.subtasks.pool import load_pool
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import ConfigError, Thinking, World
from omnipilot.envs.composite import check_world, missing_requirements

MANY = 1000
"""Stands for no limit, which a suite cannot ask for: None is the run's own."""
LIMITS: Mapping[str, Limits] = {"paper": Limits(15, MANY), "release": Limits(50, 20)}
"""The paper allows 15 turns (§5.2); the released code 20 actions, and its experiment loop 50 turns."""


class CrabSuite(Suite):
    """The suite. What its files say of their review, they say to runs and lists, too.

    Args:
        data: the folder of task files, or `hf://OWNER/NAME`.
        variant: "release" to read adjacency lists as the released loader does, undirected.
        subtasks: the table, `module:attribute` of a `Pool`; "" for the embedded world's.
        limits: "paper" or "release", unless the run sets its own.
        world: real devices named `android` and `ubuntu`, as `omnipilot.envs.composite.read_world` gives them: CRAB's
            own sub-tasks are played and judged there.
        rules: "paper" to judge on these devices what CRAB's evaluators mean, "release" to judge as its released code
            does.
        instead: what stands on these devices for words of CRAB's, such as {"/home/crab" = "/home/user"}.

    Raises:
        ConfigError: no data, no such table, variant, limits or rules, a table beside a world, words or the release's
            rules without a world, or a world that is none.
    """

    name = "crab"
    version: str

    def __init__(
        self,
        data: str = "",
        variant: str = "paper",
        subtasks: str = "",
        limits: str = "paper",
        world: Mapping[str, Any] | None = None,
        instead: Mapping[str, str] | None = None,
        rules: str = "paper",
    ) -> None:
        if variant not in get_args(Variant):
            raise ConfigError(describe_unknown("variant", variant, get_args(Variant)))
        if limits not in LIMITS:
            raise ConfigError(describe_unknown("set of limits", limits, LIMITS))
        if rules not in get_args(Rules):
            raise ConfigError(describe_unknown("set of rules", rules, get_args(Rules)))
        if world is not None:
            check_world(world)
        source = Source.open(data, GET)
        self._devices = world
        self._instead = dict(instead or {})
        self._limits = LIMITS[limits]
        self._checks: list[Use] = []
        loaded = load_tasks(source, variant)  # type: ignore[arg-type]
        if world is None:
            if instead or rules != "paper":
                name = "suite.instead" if instead else "suite.rules"
                raise ConfigError(f"{name} is for real devices: add --world FILE, or leave it out")
            self._pool = load_pool(subtasks)
        elif subtasks:
            raise ConfigError("a world's devices have CRAB's own sub-tasks: leave out suite.subtasks, or --world")
        else:
            self._pool = live_pool(world, instead or {}, rules)  # type: ignore[arg-type]
            replaced = Replacements(instead or {})
            code = source.find(FILE)
            own = [one for path in code for one in read_handmade(path.read_text(encoding="utf-8", errors="replace"))]
            tasks = (*loaded.items, *(one for one in own if isinstance(one, CrabTask)))
            self._checks = [use for one in own if isinstance(one, CrabTask) for use in one.uses]
            items = tuple(replace(task, description=replaced(task.description)) for task in tasks)
            loaded = replace(loaded, items=items, bad=(*loaded.bad, *(one for one in own if isinstance(one, Bad))))
        self._tasks = PoolTasks("crab", self._pool, loaded, compose_task, _info)
        self.bad = self._tasks.bad
        self.reviews = {task.id: task.review for task in loaded.items if task.review is not None}
        handmade = source.find(FILE) if world is not None else []
        self.version = version_of(source) + (f"+{source.digest(handmade)}" if handmade else "")

    def tasks(self) -> Sequence[TaskInfo]:
        """The playable tasks of all files; `bad` lists the others."""
        return self._tasks.tasks()

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task. All instances are equal, since the file contains the values.

        Raises:
            ConfigError: no such task, or its file is bad; the message says what is wrong with it.
        """
        return self._tasks.instantiate(task_id, instance, self._limits)

    def world(self, thinking: Thinking) -> World:
        """The table's world."""
        return self._pool.world(thinking)

    def lacking(self, tasks: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """What this machine lacks; see `Suite.lacking`."""
        return [] if self._devices is None else missing_requirements(self._devices)

    def findings(self) -> Sequence[Finding]:
        """What the devices of its world have and lack of what CRAB's sub-tasks need; see `Suite.findings`."""
        if self._devices is None:
            raise ConfigError("the embedded world has all that its tasks need; CRAB's own need --world FILE")
        return live_findings(self._devices, self._instead, self._checks)


def _info(task: CrabTask, found: Joined) -> TaskInfo:
    return TaskInfo(task.id, task.description, found.envs, tags_of(task, found), seeded=False)


def tags_of(task: CrabTask, found: Joined) -> dict[str, str]:
    """The tags by which tasks are grouped and selected."""
    platform = "cross" if len(found.envs) > 1 else "".join(found.envs)
    apps = dict.fromkeys(subtask.app for subtask in found.subtasks if subtask.app)
    # With one application known and a sub-task that names none, there may be two.
    unsure = len(apps) == 1 and not all(subtask.app for subtask in found.subtasks)
    return {
        "platform": platform,
        "app": "+".join(apps),
        **({"apps": "unknown"} if unsure else {}),
        "folder": task.folder,
        "subtasks": str(len(task.uses)),
        "nodes": str(len(found.graph.nodes)),
        "template": "+".join(task.templates),
    }
