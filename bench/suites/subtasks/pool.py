"""The table of sub-tasks for task files of CRAB and OmniBench: it turns ids into content and judges.

Both benchmarks keep their judges as code for machines that are not here (an Ubuntu VM with an Android emulator,
Windows with commercial applications). A `Pool` is what a file's ids are looked up in instead: that of the embedded
world by default, or your own by `module:attribute`.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omnipilot.agents import Registry
from omnipilot.bench.scoring.data.records import Record
from omnipilot.bench.synthesis.sampling import Claims
from omnipilot.bench.synthesis.template import Piece, Solution
from omnipilot.envs import ConfigError, Thinking, World
from omnipilot.memory import Move


@dataclass(frozen=True, slots=True)
class SubTask:
    """A sub-task with open attributes.

    Attributes:
        id: as data files name it. description: with a {hole} for each attribute that it tells.
        attributes: name → the types of values that it takes. output: the type that it yields, "" for none.
        make: from the attributes' values, the world's state so far, and what the task's sub-tasks have claimed, to
            judges, content and demonstration. Raises `ConfigError` where the values do not fit the world.
        env, app: where it is done. category: of the application, for OmniBench's table.
    """

    id: str
    description: str
    attributes: Mapping[str, tuple[str, ...]]
    output: str
    make: Callable[[Mapping[str, Any], Any, Claims], Piece]
    env: str = ""
    app: str = ""
    category: str = ""

    def __post_init__(self) -> None:
        holes = {name for _, name, _, _ in string.Formatter().parse(self.description) if name is not None}
        if strangers := holes - set(self.attributes):
            raise ConfigError(f"sub-task {self.id} uses unknown attributes: {', '.join(sorted(strangers))}")


@dataclass(frozen=True, slots=True)
class Pool:
    """Sub-tasks by id, and the world they run in.

    Attributes:
        world: makes one. start: its state before any content of a task; whatever `SubTask.make` takes and gives back.
        setup: brings a world to a state. demonstrate: the moves of solutions, one after the other, from a world as it
            is, which is left alone; None where the table has no demonstrations.
    """

    subtasks: Mapping[str, SubTask]
    world: Callable[[Thinking], World]
    start: Callable[[], Any]
    setup: Callable[[Any, Any], None]
    demonstrate: Callable[[Any, Sequence[Solution]], Sequence[Move]] | None = None


POOLS = Registry("table of sub-tasks", {}, "subtasks")


def load_pool(name: str) -> Pool:
    """A table by name or "module:attribute"; "" for the embedded world's.

    Raises:
        ConfigError: there is none, or what is there is no `Pool`.
    """
    found = POOLS.load(name or "embedded")
    if not isinstance(found, Pool):
        raise ConfigError(f"{name} is not a table of sub-tasks: it is a {type(found).__name__}, not a Pool")
    return found


def check_subtask(
    pool: Pool, id: str, given: Mapping[str, Any], record: Record, field: str, values: str, cure: str
) -> SubTask:
    """The sub-task with this id, if it takes exactly these attributes.

    Args:
        field, values: what a bad record names: where the id stands, and where the values stand.
        cure: what to do where the table does not have it.

    Raises:
        BadRecord: the table does not have it, or an attribute is missing or unknown.
    """
    subtask = pool.subtasks.get(id)
    if subtask is None:
        raise record.wrong(field, f"the table has no sub-task {id}; {cure}")
    if missing := [name for name in subtask.attributes if name not in given]:
        raise record.wrong(f"{values}.{missing[0]}", f"it is missing; sub-task {id} takes {_listed(subtask)}")
    if strangers := [name for name in given if name not in subtask.attributes]:
        raise record.wrong(
            f"{values}.{strangers[0]}", f"sub-task {id} takes {_listed(subtask)}; this attribute is unknown"
        )
    return subtask


def make_piece(
    subtask: SubTask, given: Mapping[str, Any], state: Any, claims: Claims, record: Record, field: str
) -> Piece:
    """A sub-task with its attributes filled in.

    Raises:
        BadRecord: the values do not fit the world.
    """
    try:
        return subtask.make(given, state, claims)
    except ConfigError as error:
        raise record.wrong(field, str(error)) from None


def _listed(subtask: SubTask) -> str:
    return ", ".join(f"{name} ({' or '.join(types)})" for name, types in subtask.attributes.items()) or "none"
