"""A tiny fast suite over a scripted world, importable by workers as "toy_suite:ToySuite"."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from omnipilot.agents.limits import Limits
from omnipilot.agents.spec import AgentSpec, PartSpec
from omnipilot.bench.episodes import Episode
from omnipilot.bench.graph import JudgeGraph
from omnipilot.bench.judges import Case, Judge, Verdict, answered
from omnipilot.bench.runner import run
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.task import Task, TaskInfo
from omnipilot.envs.actions import Action, Answer, Click, Press, Wait
from omnipilot.envs.base import Platform, Thinking
from omnipilot.envs.custom import CustomVerb
from omnipilot.envs.errors import ActionRejected, ConfigError, EnvLost
from omnipilot.envs.geometry import Box, Point, Size
from omnipilot.envs.media import AudioClip, Image
from omnipilot.envs.observation import Context, Element, Elements, Modality, Observation
from omnipilot.memory.trace import Move

FOLDER = "TOY_FOLDER"
"""Names the environment variable with the folder where worlds leave their process ids and traps their marks."""
SIZE = Size(16, 12)


@dataclass(frozen=True)
class ToyState:
    """What judges read."""

    instance: int
    count: int
    pressed: int


class ToyWorld:
    """One counter: Enter or a click on the left half adds one, anything else takes one away."""

    name = "toy"
    platform: Platform = "desktop"
    size = SIZE
    verbs = frozenset({"press", "click"})
    custom: Mapping[str, CustomVerb] = {}

    def __init__(self, delay: float, thinking: Thinking) -> None:
        self.delay = delay
        self.thinking = thinking
        self.trap = ""
        self.closed = False
        self.reset(0)
        if FOLDER in os.environ:
            (Path(os.environ[FOLDER]) / f"world-{os.getpid()}").touch()

    @property
    def envs(self) -> dict[str, ToyWorld]:
        return {self.name: self}

    @property
    def now(self) -> float:
        return self._now

    def reset(self, instance: int) -> None:
        assert not self.closed
        self._now = 0.0
        self.instance, self.count, self.pressed, self.trap = instance, instance % 3, 0, ""

    def wait(self, seconds: float) -> None:
        self._now += seconds

    def think(self, measured: float) -> None:
        self._now += self.thinking.elapsed(measured)

    def close(self) -> None:
        self.closed = True

    def state(self) -> ToyState:
        return ToyState(self.instance, self.count, self.pressed)

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        shade = bytes([self.instance % 256, self.count % 256, self.pressed % 256])
        everything = Observation(
            self.name,
            self._now,
            SIZE,
            Image.raw(SIZE, shade * SIZE.pixels, self.name, self._now),
            Elements((Element("button", f"count {self.count}", Box(0, 0, 0.5, 1), id="b"),)),
            AudioClip(bytes([self.count % 256, 0]) * round((self._now - since) * 16_000), self.name, since),
            context=Context(title=f"count {self.count}"),
        )
        return everything.only(modalities, "unasked")

    def act(self, action: Action) -> None:
        if action.kind not in self.verbs:
            raise ActionRejected("the toy can be pressed and clicked")
        if self.delay:
            time.sleep(self.delay)
        self.pressed += 1
        if self.pressed == 2:
            self._spring()
        adds = isinstance(action, Press) and action.keys == ("enter",)
        adds = adds or (isinstance(action, Click) and isinstance(action.at, Point) and action.at.x < 0.5)
        self.count += 1 if adds else -1
        self._now += 0.25

    def _spring(self) -> None:
        if self.trap == "lost":
            raise EnvLost("the toy was unplugged")
        if self.trap == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.trap == "bug":
            raise ZeroDivisionError("a bug in the toy")
        if self.trap == "bug once" and _first("bug once"):
            raise ZeroDivisionError("a bug in the toy")


def _first(what: str) -> bool:
    mark = Path(os.environ[FOLDER]) / what
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _count_to(number: int) -> Judge:
    return Judge(
        f"count {number}", lambda case: Verdict(float(case.state.count >= case.start.count + number)), env="toy"
    )


class ToySuite:
    """Tasks by what happens in them.

    Args:
        delay: seconds on the wall that an action takes.
    """

    name = "toy"
    version = "1"
    TASKS = (
        *("count", "far", "answer", "answer-wrong", "untold", "broken"),
        *("lost", "lost-early", "die", "bug", "bug-once", "unsolved", "guard", "stuck"),
    )

    def __init__(self, delay: float = 0.0) -> None:
        self.delay = delay

    def tasks(self) -> Sequence[TaskInfo]:
        return [TaskInfo(name, f"the task {name}", ("toy",)) for name in self.TASKS]

    def world(self, thinking: Thinking) -> ToyWorld:
        return ToyWorld(self.delay, thinking)

    def instantiate(self, task_id: str, instance: int) -> Task:
        if task_id not in self.TASKS:
            raise ConfigError(f"there is no task {task_id!r}; did you mean 'count'?")
        number = 8 if task_id == "far" else 3 + instance % 2
        enter = Move("toy", Press(("enter",)))
        moves: list[Move] = [enter] * number
        graph = JudgeGraph.chain([_count_to(n) for n in range(1, number + 1)])
        limits: Limits | None = None
        if task_id == "far":
            limits = Limits(turns=5, actions=None)
        if task_id.startswith("answer"):
            moves += [Move("", Wait(0.5)), Move("", Answer("yes" if task_id == "answer" else "no"))]
            graph = graph.then(JudgeGraph((Judge("told", answered("yes")),)))
        if task_id == "guard":
            graph = graph.then(JudgeGraph((Judge("kept", lambda case: case.state.count > 0, when="end"),)))
        if task_id == "broken":
            graph = JudgeGraph((Judge("always", _always), *graph.nodes), graph.edges)

        def setup(world: Any) -> str:
            world.reset(instance)
            if task_id == "lost-early":
                raise EnvLost("the toy did not start")
            if task_id == "stuck":
                world.delay = 60.0
            if not (task_id == "lost" and instance % 2):
                world.trap = {"bug-once": "bug once"}.get(task_id, task_id)
            return f"Count {number} up from {instance % 3}."

        solution = None if task_id == "untold" else (lambda world: moves)
        if task_id == "unsolved":
            solution = lambda world: moves[:-1]  # noqa: E731
        return Task(task_id, instance, setup, graph, solution, limits, {"kind": task_id})


def _always(case: Case) -> bool:
    return case.world is not None


def main(arguments: list[str]) -> int:
    """Run toy tasks as a process of its own: OUT JOBS TASKS INSTANCES DELAY."""
    out, jobs, tasks, instances, delay = arguments
    result = run(toy_spec(*tasks.split(","), instances=int(instances), delay=float(delay)), Path(out), int(jobs))
    return 130 if result.interrupted else 0


def toy_spec(*tasks: str, instances: int = 1, trials: int = 1, delay: float = 0.0, planner: str = "oracle") -> RunSpec:
    """A run of toy tasks."""
    suite = PartSpec("toy_suite:ToySuite", {"delay": delay})
    return RunSpec(AgentSpec(planner=PartSpec(planner)), suite, tasks=tasks, instances=instances, trials=trials)


def table(episodes: Iterable[Episode]) -> list[dict[str, Any]]:
    """What two runs must agree on: everything but times on the wall and how often an episode was begun."""
    rows = [asdict(episode) for episode in episodes]
    for row in rows:
        del row["wall_seconds"], row["attempt"], row["usage"]["seconds"]
    return rows


def workers(folder: Path) -> list[int]:
    """Process ids of all that ever made a world while `FOLDER` named this folder."""
    return [int(mark.name.removeprefix("world-")) for mark in folder.glob("world-*")]


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and not yet buried does not."""
    try:
        if Path("/proc/self/stat").exists():
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(done.stdout.strip()) and not done.stdout.startswith("Z")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
