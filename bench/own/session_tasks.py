"""Tasks that are written in a running session of Python, such as a cell of a notebook: kept for as long as it lasts."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType
from typing import Any

from omnipilot.bench.own.written_task import WrittenTask
from omnipilot.envs import ConfigError

MOST_WORDS = 6
_KEPT: dict[str, dict[str, WrittenTask]] = {}


def keep_tasks(tasks: Sequence[WrittenTask]) -> str:
    """Keep tasks for the suite `file` to find, until this process ends.

    Returns:
        The key under which they are kept: a digest of what they say, so that an edited task is another one.

    Raises:
        ConfigError: two of them have one name.
    """
    named: dict[str, WrittenTask] = {}
    for one in tasks:
        one.id = one.id or _name(one.instruction)
        if named.setdefault(one.id, one) is not one:
            raise ConfigError(f"two tasks are called {one.id!r}; name their functions differently")
    told = [_content(one) for one in named.values()]
    key = hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()[:12]
    _KEPT[key] = named
    return key


def find_kept(key: str) -> dict[str, WrittenTask]:
    """The tasks under a key, by name.

    Raises:
        ConfigError: there are none in this process.
    """
    if key not in _KEPT:
        raise ConfigError(
            f"the tasks {key} were written in a session of Python that is over: run its cell again and play them "
            "there, run(my_task, …), or put them into a file: --suite my_task.py"
        )
    return _KEPT[key]


def file_of(task: WrittenTask) -> Path | None:
    """The file that a task can be imported from; None for one of a notebook, a script that runs, or a function."""
    name = "" if task.judge is None else task.judge.__module__
    module = sys.modules.get(name)
    if name == "__main__" or module is None or not any(one is task for one in vars(module).values()):
        return None
    # One that runs now would run again for its tasks.
    if module.__spec__ is None or getattr(module.__spec__, "_initializing", False):
        return None
    file = Path(getattr(module, "__file__", None) or "")
    return file if file.suffix == ".py" and file.is_file() else None


def _name(instruction: str) -> str:
    words = re.findall(r"[a-z0-9]+", instruction.lower())[:MOST_WORDS]
    return "-".join(words) or "task"


def _content(task: WrittenTask) -> list[Any]:
    written = [task.instruction, task.world, task.checks, task.turns, task.when, task.tags]
    return [task.id, *written, _source(task.judge), _source(task.moves)]


def _source(function: Callable[..., Any] | None) -> Any:
    """What a function says: its text, or its code where there is none, as in a prompt of Python."""
    if function is None:
        return ""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        code = getattr(function, "__code__", None)
        return _code(code) if isinstance(code, CodeType) else repr(type(function))


def _code(code: CodeType) -> list[Any]:
    inner = [_code(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return [code.co_code.hex(), code.co_names, inner]
