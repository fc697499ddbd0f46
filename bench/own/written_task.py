"""A task in a dozen lines: `@task("What to do.", world={"phone": "toy"})` above the function that judges it.

from omnipilot.bench import task

@task("Open Notes.", world={"phone": "toy"})
def open_notes(case):
    return case.state["phone"].app == "Notes"

@open_notes.oracle
def moves(world):
    yield {"kind": "open_app", "app": "Notes"}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from omnipilot.bench.tasks.judges import Case, Verdict
from omnipilot.envs import ConfigError
from omnipilot.memory import Move

Judged: TypeAlias = Callable[[Case], "Verdict | bool"]
Moves: TypeAlias = Callable[[Any], "Iterable[Move | Mapping[str, Any]]"]


class WrittenTask:
    """A task as its author wrote it; `task` makes one.

    Attributes:
        id: the name of the function that judges it, with hyphens. instruction: what an agent is told.
        judge: whether it is solved, given the case; None where `checks` alone say so.
        checks: as in `omnipilot.bench.free.checks`; they are read after the last move, and all must hold.
        world: a world file, a kind of device, or devices by name. turns: the most that an agent may take.
        moves: the demonstration; None without one.
    """

    def __init__(
        self,
        instruction: str,
        world: str | Mapping[str, Any],
        checks: Sequence[str],
        turns: int,
        when: Literal["step", "end"],
        tags: Mapping[str, str],
    ) -> None:
        if not instruction.strip():
            raise ConfigError("a task needs an instruction: @task('What to do.', world=…)")
        self.id = ""
        self.instruction = instruction.strip()
        self.world = world
        self.checks = (checks,) if isinstance(checks, str) else tuple(checks)
        self.turns = turns
        self.when = when
        self.tags = dict(tags)
        self.judge: Judged | None = None
        self.moves: Moves | None = None

    def __call__(self, judge: Judged) -> WrittenTask:
        """Take in the function that judges it, as a decorator does."""
        self.judge = judge
        self.id = getattr(judge, "__name__", "task").replace("_", "-")
        return self

    def oracle(self, moves: Moves) -> Moves:
        """Take in its demonstration: a function from the world at the start to moves, each a `Move` or the JSON of an
        action, with `env` where there are several devices."""
        self.moves = moves
        return moves


def task(
    instruction: str,
    *,
    world: str | Mapping[str, Any] = "",
    url: str = "",
    checks: Sequence[str] = (),
    turns: int = 30,
    when: Literal["step", "end"] = "step",
    tags: Mapping[str, str] | None = None,
) -> WrittenTask:
    """A task: `omnipilot prove FILE.py` proves it, `omnipilot run --suite FILE.py` plays it.

    Args:
        instruction: what the agent is told.
        world: a world file (`.toml`, relative to the task's file), a kind of device such as "toy", or devices by name,
            each a kind or the table that a world file has for it.
        url: in place of a world, a web page.
        checks: what must hold in the end, such as "url contains /thanks"; beside a function that judges, or alone.
        turns: most decisions of an agent. when: whether the function is asked after each step, which ends the episode
            as soon as it holds, or only at the end. tags: by which tasks can be told apart.

    Raises:
        ConfigError: there is no instruction, or not exactly one of world and url.
    """
    if bool(world) == bool(url):
        raise ConfigError(f"task {instruction!r:.60} needs a world or a url, and not both")
    devices = {"page": {"kind": "browser", "url": url}} if url else world
    return WrittenTask(instruction, devices, checks, turns, when, tags or {})


def devices_of(world: str | Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The devices of a task as a world's table.

    Args:
        folder: of the task's file.

    Raises:
        ConfigError: they are none; the message says what is wrong.
    """
    from omnipilot.envs.composite import check_world, read_world

    if isinstance(world, str):
        if world.endswith(".toml"):
            return read_world(folder / world)
        world = {"device": world}
    table = {"devices": {name: {"kind": one} if isinstance(one, str) else dict(one) for name, one in world.items()}}
    check_world(table)
    return table
