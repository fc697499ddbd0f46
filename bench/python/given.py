"""What a caller gives to `run` and its like, as the settings that the command line has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from os import PathLike
from typing import Any

from omnipilot.bench.own.session_tasks import file_of, keep_tasks
from omnipilot.bench.own.written_task import WrittenTask
from omnipilot.bench.run.read_settings import parse_settings
from omnipilot.bench.settings import LimitSettings, RunSettings, varied_by
from omnipilot.envs import ConfigError

_SESSION = "__main__"


@dataclass(frozen=True, slots=True)
class GivenSettings:
    """Settings that a caller gave.

    Attributes:
        values: by name, plain. lists: of settings that are varied.
        local: what of them only this process can find, such as a class of a notebook.
    """

    values: dict[str, Any]
    lists: dict[str, list[Any]]
    local: tuple[str, ...]

    def settings(self) -> RunSettings:
        """Those that are not varied.

        Raises:
            ConfigError: there is no such setting, or a value is of the wrong type.
        """
        return parse_settings(self.values)

    def here(self, settings: RunSettings) -> RunSettings:
        """All settings, which play in this process where a worker would not find what is to be played.

        Raises:
            ConfigError: workers are asked for.
        """
        if not self.local:
            return settings
        if settings.jobs:
            raise ConfigError(
                f"only this session of Python has {' and '.join(self.local)}, and no worker process would find that: "
                'play in this process, jobs=0, or put it into a file, as in suite="my_task.py" and '
                'planner="my_module:MyPlanner"'
            )
        return replace(settings, jobs=0)


def read_given(suite: Any, given: Mapping[str, Any], command: str = "run") -> GivenSettings:
    """Settings from keyword arguments: limits are named as their options, parts may be classes, a suite tasks.

    Args:
        suite: None where it is not given, or a file names it. command: whose lists are varied.

    Raises:
        ConfigError: a class or a task can be found by nobody.
    """
    limits = {one.name for one in fields(LimitSettings)}
    varied, local = varied_by(command), list[str]()
    values: dict[str, Any] = {}
    lists: dict[str, list[Any]] = {}
    for name, value in {**given, **({} if suite is None else {"suite": suite})}.items():
        if name in limits and not (name in varied and isinstance(value, list | tuple)):
            values.setdefault("limits", {})[name] = value
        elif name == "suite" and (tasks := _tasks(value)):
            values[name] = _suite_of(tasks, local)
        elif name in varied and isinstance(value, list | tuple):
            lists[name] = [_plain(one, local) for one in value]
        elif value is not None:
            values[name] = _plain(value, local)
    return GivenSettings(values, lists, tuple(dict.fromkeys(local)))


def _tasks(value: Any) -> list[WrittenTask]:
    """The tasks that stand in place of a suite; none where it is one."""
    found = [value] if isinstance(value, WrittenTask) else list(value) if isinstance(value, list | tuple) else []
    return found if all(isinstance(one, WrittenTask) for one in found) else []


def _suite_of(tasks: Sequence[WrittenTask], local: list[str]) -> Any:
    """The suite of tasks: their file, where that holds these and no others; else those of this session."""
    files = {file_of(one) for one in tasks}
    (file,) = files if len(files) == 1 else (None,)
    if file is not None:
        from omnipilot.bench.own.suite import FileSuite

        if {one.id for one in FileSuite(str(file)).tasks()} == {one.id for one in tasks}:
            return str(file)
    key = keep_tasks(tasks)
    local.extend(f"task {one.id!r}" for one in tasks)
    return {"name": "file", "session": key}


def _plain(value: Any, local: list[str]) -> Any:
    """A class of one's own as its "module:attribute"; anything else as it is."""
    if isinstance(value, type):
        if "<locals>" in value.__qualname__:
            raise ConfigError(
                f"class {value.__name__} is defined inside a function; define it outside, where it is found"
            )
        local.extend([f"class {value.__name__}"] * (value.__module__ == _SESSION))
        return f"{value.__module__}:{value.__qualname__}"
    return [*value] if isinstance(value, tuple) else str(value) if isinstance(value, PathLike) else value
