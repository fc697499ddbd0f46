"""Suite `file`: the tasks of one file of Python, `omnipilot run --suite my_task.py`."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from omnipilot.agents import Limits
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.free.readings import judge_check, open_for_checks
from omnipilot.bench.free.task_list import judged_by, read_checks, template_tags
from omnipilot.bench.own.session_tasks import find_kept
from omnipilot.bench.own.written_task import WrittenTask, devices_of
from omnipilot.bench.session.verbs import read_verb
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo, TaskVoid, values_of
from omnipilot.bench.tasks.unjudged import unjudged_task
from omnipilot.envs import ConfigError, Thinking, World
from omnipilot.envs.composite import missing_requirements
from omnipilot.memory import Move

_IMPORTED_NOW: set[str] = set()
"""Modules of files of tasks whose import goes on."""


class FileSuite(Suite):
    """The tasks of a file, made by `task` of `omnipilot.bench`, in the order in which they stand there.

    Args:
        file: the file. It is imported, which runs it: take only what you trust.
        session: in place of a file, the key of tasks that are written in this session of Python.

    Raises:
        ConfigError: there is no such file, it fails, it has no task, or its tasks are on different worlds; or the
            session is over.
    """

    name = "file"
    version: str = "1"

    def __init__(self, file: str = "", session: str = "") -> None:
        self._tasks: dict[str, WrittenTask] = {}
        self._world: dict[str, Any] = {}
        if file and session:
            raise ConfigError("suite file takes tasks of a file or of a session, not of both")
        if session:
            self._take(find_kept(session), session, Path.cwd(), "the session")
        elif file:
            path = Path(file).expanduser()
            if not path.is_file():
                raise ConfigError(f"there is no file {file}; --suite takes a suite's name, or a file of tasks (.py)")
            version = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
            self._take(_tasks_of(path), version, path.parent, file)

    def _take(self, tasks: Mapping[str, WrittenTask], version: str, folder: Path, where: str) -> None:
        """Take in tasks.

        Args:
            folder: to which the paths of their worlds are relative. where: they come from, for messages.

        Raises:
            ConfigError: there are none, or they are on different worlds.
        """
        if not tasks:
            raise ConfigError(f"{where} has no task: put @task(…) of omnipilot.bench above the function that judges it")
        worlds = [devices_of(one.world, folder) for one in tasks.values()]
        if any(one != worlds[0] for one in worlds):
            raise ConfigError(f"the tasks of {where} are on different worlds; put those of each world into a file")
        self.version, self._tasks, self._world = version, dict(tasks), worlds[0]

    def tasks(self) -> Sequence[TaskInfo]:
        """The tasks of the file."""
        devices = tuple(self._world.get("devices", ()))
        tags = self._tags()
        return [TaskInfo(one.id, one.instruction, devices, tags[one.id]) for one in self._tasks.values()]

    def templates_of(self, task_id: str) -> Collection[str]:
        """The template that its author names, and that of tasks which the same function and checks judge."""
        return values_of(self._tags().get(task_id, {}), "template")

    def _tags(self) -> dict[str, dict[str, str]]:
        """Those of each task, with the template of those that are no independent tests of one another."""
        told = []
        for one in self._tasks.values():
            by = one.judge, judged_by(read_checks(one.checks, self._world["devices"]))
            told.append((one.id, None if by == (None, None) else by, one.tags.get("template", "")))
        templates = template_tags(told)
        return {id: {**one.tags, **templates[id]} for id, one in self._tasks.items()}

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task; the world is reset with the number of the instance.

        Raises:
            ConfigError: there is no such task, or one of its checks is none.
        """
        own = self._tasks.get(task_id)
        if own is None:
            raise ConfigError(describe_unknown("task", task_id, list(self._tasks)))
        checks = read_checks(own.checks, self._world["devices"])
        judges = [Judge(one.written, partial(judge_check, one), "end", one.device) for one in checks]
        if own.judge is not None:
            judges.insert(0, Judge(own.id, own.judge, own.when))
        if not judges:
            return unjudged_task(own.id, instance, own.instruction)

        def setup(world: World) -> str:
            world.reset(instance)
            if all(judge.when == "end" and judge(Case(world)).reached for judge in judges):
                raise TaskVoid(f"{own.id!r} is solved before anything was done; judge what only its deed brings")
            return own.instruction

        solution = None if own.moves is None else partial(self._moves, own)
        graph, limits = JudgeGraph(tuple(judges)), Limits(turns=own.turns)
        return Task(own.id, instance, setup, graph, solution, limits, self._tags()[own.id])

    def world(self, thinking: Thinking) -> World:
        """The devices, started.

        Raises:
            ConfigError: there is no file, a device cannot be started, or it gives judges nothing by which a check could
                be answered.
        """
        if not self._world:
            raise ConfigError("suite file needs a file of tasks: --suite my_task.py")
        devices = self._world["devices"]
        every = [one for own in self._tasks.values() for one in read_checks(own.checks, devices)]
        return open_for_checks(self._world, thinking, every)

    def lacking(self, tasks: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """What this machine lacks; see `Suite.lacking`."""
        return missing_requirements(self._world) if self._world else []

    def _moves(self, own: WrittenTask, world: World) -> list[Move]:
        assert own.moves is not None
        return [one if isinstance(one, Move) else read_verb(dict(one), "", world.envs) for one in own.moves(world)]


def _tasks_of(path: Path) -> dict[str, WrittenTask]:
    """The tasks of a file, by name."""
    found: dict[str, WrittenTask] = {}
    for name, one in vars(_import_file(path)).items():
        if isinstance(one, WrittenTask):
            one.id = one.id or name.replace("_", "-")
            found.setdefault(one.id, one)
    return found


def _import_file(path: Path) -> Any:
    """The module of a file, imported anew.

    Raises:
        ConfigError: it fails.
    """
    name = f"omnipilot_file_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    if name in _IMPORTED_NOW:
        raise ConfigError(
            f'{path} plays its own tasks while it is imported; let `if __name__ == "__main__":` guard that'
        )
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    _IMPORTED_NOW.add(name)
    try:
        spec.loader.exec_module(module)
    except ConfigError:
        raise
    except Exception as error:
        raise ConfigError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        _IMPORTED_NOW.discard(name)
    return module
