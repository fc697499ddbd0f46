"""Tasks of `duet` on the phone have the same verdict in process and over adb: played on the served phone, through
Debian's adb server, and judged by the state of the world that is served."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from adb_server import AdbServerProcess

from omnipilot.bench import Case, GraphEvaluator
from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet.kit.play import play
from omnipilot.bench.tasks.task import Task
from omnipilot.envs import NotFound, Point, Ref, Wait, resolve
from omnipilot.envs.android import AndroidEnv
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.adb.server import PhoneServer
from omnipilot.envs.types.fields import Described
from omnipilot.memory import Move

QUICK = ("send-message",)
SUITE = Duet("all")
TASKS = tuple(info.id for info in SUITE.every() if info.envs == ("phone",))
FAST = 8.0
"""How much faster the served world's clock runs while the player waits."""
LEAD = 1.0
"""Seconds before the end of a wait at which it runs as on the wall again."""


@dataclass(frozen=True)
class Verdict:
    """What the judges say: at the start and at the end, and the state of each sub-goal."""

    before: bool
    after: bool
    goals: dict[str, str]


def verdict(judge: GraphEvaluator, before: bool) -> Verdict:
    return Verdict(before, judge.success, {name: str(state) for name, state in judge.states().items()})


def set_up(id: str) -> tuple[Task, SimWorld, list[Move]]:
    task = SUITE.instantiate(id, 0)
    world = SimWorld()
    task.setup(world)
    assert task.solution is not None
    return task, world, list(task.solution(world))


def in_process(id: str) -> tuple[Verdict, list[float]]:
    """The verdict, and when each move was begun and the last one ended, in seconds on the world's clock."""
    task, world, moves = set_up(id)
    start, judge = world.state(), GraphEvaluator(task.graph)
    judge.step(Case(world, start))
    before, times = judge.success, [world.now]
    for move in moves:
        play(world, move)
        judge.step(Case(world, start))
        times.append(world.now)
    return verdict(judge, before), times


class Player:
    """Plays moves over adb at the pace of the rehearsal: a move is begun as long after the one before as it was then.

    In process a move takes a set time and things go on meanwhile; over adb it takes the time that it takes. What
    matters to a task (a message that speaks, an alarm that rings) depends on the time between moves.
    """

    def __init__(self, world: SimWorld, server: PhoneServer, env: AndroidEnv) -> None:
        self.world, self.server, self.env = world, server, env
        self.begun = self.now

    @property
    def now(self) -> float:
        """Seconds on the served world's clock."""
        return self.server.phone.now

    def play(self, move: Move, lasts: float) -> None:
        """Carry out a move; then wait until it has lasted as long as in the rehearsal."""
        begun = self.begun if isinstance(move.intent, Wait) else self.now
        if not isinstance(move.intent, Wait):
            self.env.act(resolve(move.intent, self.locate))
        self.wait_until(begun + lasts)
        self.begun = begun + lasts

    def wait_until(self, moment: float) -> None:
        phone = self.server.phone
        pause = threading.Event()
        if moment - self.now > 2 * LEAD:
            self.pace(FAST)
            while moment - LEAD > self.now:
                pause.wait(0.02)
            self.pace(1.0)
        while (rest := moment - phone.now) > 0:
            pause.wait(rest)

    def pace(self, rate: float) -> None:
        phone = self.server.phone
        with phone.lock:
            phone.tick()
            phone.rate = rate

    def locate(self, place: Described) -> Point:
        """Where an element is: its id is written into the resource id, in the characters that Android allows there."""
        assert isinstance(place, Ref)
        wanted = re.sub(r"[^A-Za-z0-9_]", "_", place.id)
        for element in self.env.ui_tree():
            if (element.id or "").partition(":id/")[2] == wanted:
                return element.box.center
        raise NotFound(f"no {place} on the phone")


def over_adb(id: str, times: list[float], adb: AdbServerProcess) -> Verdict:
    task, world, moves = set_up(id)
    start, judge = world.state(), GraphEvaluator(task.graph)
    with PhoneServer(world) as server:
        phone = server.phone
        with phone.lock:
            judge.step(Case(world, start))
        before = judge.success
        env = AndroidEnv(server.serial, adb_server=adb.address)
        player = Player(world, server, env)
        try:
            for move, begun, ended in zip(moves, times, times[1:], strict=False):
                player.play(move, ended - begun)
                with phone.lock:
                    judge.step(Case(world, start))
        finally:
            env.close()
    return verdict(judge, before)


@pytest.fixture(scope="module")
def adb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServerProcess]:
    server = AdbServerProcess(Path(tmp_path_factory.mktemp("adb")))
    yield server
    server.kill()


@pytest.mark.desktop("adb")
@pytest.mark.parametrize("id", [pytest.param(id, marks=[] if id in QUICK else [pytest.mark.slow]) for id in TASKS])
def test_a_task_has_the_same_verdict_over_adb(id: str, adb: AdbServerProcess) -> None:
    expected, times = in_process(id)
    assert expected.after and not expected.before
    begun = time.monotonic()
    assert over_adb(id, times, adb) == expected
    print(f"{id}: {time.monotonic() - begun:.1f} s over adb")
