"""What `omnipilot phone serve` does."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import typer

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.tasks.graph import GraphEvaluator
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import ConfigError
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.adb import PhoneServer

LOOK_SECONDS = 0.25
"""Seconds between two looks of the judges."""
MOST_PHONES = 32


class ServedTask:
    """A task of duet on a phone that is served, judged while it goes on.

    Attributes:
        instruction: what is to be done.
    """

    def __init__(self, world: SimWorld, task_id: str, instance: int, large: bool = False) -> None:
        task = _phone_task(task_id.removeprefix("duet/"), instance)
        self._world = world
        self.instruction = task.setup(world)
        if large:
            enlarge(world)
        self._judges = GraphEvaluator(task.graph)
        self._start = world.state()

    def judge(self, ended: bool = False) -> bool:
        """Look at the phone as it is; whether the task is solved."""
        self._judges.step(Case(self._world, self._start), ended)
        return self._judges.success

    @property
    def verdict(self) -> str:
        """How far it got, in words."""
        told = "solved" if self._judges.success else "not solved"
        return f"{told}: {self._judges.completed} of {self._judges.total} sub-goals"


def enlarge(world: SimWorld) -> None:
    """Give the phone its large screen."""
    world.prepare(lambda state: state.looking(replace(state.phone.look, density="large"), "phone"))


def _phone_task(task_id: str, instance: int) -> Any:
    """A task of the development split that needs the phone alone.

    Raises:
        ConfigError: there is no such task, or it needs a desktop too.
    """
    suite = Duet("all")
    alone = {one.id: one for one in suite.every() if one.envs == ("phone",)}
    if task_id not in alone:
        known = [id for id in alone if suite.split_of(id) == "dev"]
        raise ConfigError(describe_unknown("phone task", task_id, known))
    if suite.split_of(task_id) != "dev":
        raise ConfigError(
            f"{task_id} belongs to the test split, which is kept for reporting; `omnipilot list tasks --suite duet` "
            "names those for development"
        )
    return suite.instantiate(task_id, instance)


@dataclass(frozen=True, slots=True)
class PhoneOptions:
    """Which phones are served, and where.

    Attributes:
        port: on 127.0.0.1; 0 for a free one. count: of phones, each on a port of its own, 1 to `MOST_PHONES`.
        instance: of the content of the first phone, or of its task; each further one has the next.
        task: a task of duet to set up and to judge; "" for none.
        large: whether the screen is the large one. rotation: quarter turns in which the phone lies, 0 to 3.
        emulator: whether it listens where every adb server looks for emulators.

    Raises:
        ConfigError: a number out of its range, or a port for several phones.
    """

    port: int = 0
    instance: int = 0
    task: str = ""
    count: int = 1
    large: bool = False
    rotation: int = 0
    emulator: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_PHONES:
            raise ConfigError(f"--count takes 1 to {MOST_PHONES} phones, not {self.count}")
        if self.rotation not in (0, 1, 2, 3):
            raise ConfigError(f"--rotation takes 0, 1, 2 or 3 quarter turns, not {self.rotation}")
        if self.port and self.count > 1:
            raise ConfigError("--port serves one phone; leave it out where --count asks for several")


def serve_command(how: PhoneOptions) -> None:
    """Serve phones until Ctrl-C or SIGTERM; with a task, print its instruction, and the judges' verdict at the end."""
    with ExitStack() as stack:
        phones: list[tuple[PhoneServer, ServedTask | None]] = []
        for number in range(how.count):
            world = SimWorld()
            world.reset(how.instance + number)
            if how.large:
                enlarge(world)
            served = ServedTask(world, how.task, how.instance + number, how.large) if how.task else None
            server = PhoneServer(world, how.port, emulator=how.emulator, rotation=how.rotation)  # type: ignore[arg-type]
            phones.append((stack.enter_context(server), served))
            restart = " (an adb server that runs already finds it after adb kill-server)"
            typer.echo(f"adb -s {server.serial} shell{restart}" if how.emulator else f"adb connect {server.serial}")
            if served is not None:
                typer.echo(f"task: {served.instruction}")
        _until_told(phones)


def _until_told(phones: list[tuple[PhoneServer, ServedTask | None]]) -> None:
    solved: set[str] = set()
    waiting = threading.Event()
    try:
        typer.echo("end with Ctrl-C")
        while not waiting.wait(LOOK_SECONDS):
            for server, served in phones:
                if served is None or server.serial in solved:
                    continue
                with server.phone.lock:
                    if served.judge():
                        solved.add(server.serial)
                        typer.echo(f"{server.serial} {served.verdict}")
    except KeyboardInterrupt:
        for server, served in phones:
            if served is not None and server.serial not in solved:
                with server.phone.lock:
                    served.judge(ended=True)
                typer.echo(f"{server.serial} {served.verdict}")
