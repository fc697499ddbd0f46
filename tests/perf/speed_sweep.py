"""What a sweep costs a cell beyond its runs: one that is complete, and one that is run."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import Case, Judge, JudgeGraph, RunSpec, Suite, Task, TaskInfo, Verdict, write_report
from omnipilot.bench.experiments import Cell, run_cells
from omnipilot.bench.experiments.cells import cell_name
from omnipilot.bench.experiments.sweep_results import rows_of
from omnipilot.bench.report.figures.draw import figure_bytes
from omnipilot.bench.report.page import Section
from omnipilot.bench.report.sweep_figure import sweep_figure
from omnipilot.bench.report.sweep_table import sweep_table
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.envs import Action, Box, Click, CustomVerb, Element, Elements, Modality, Observation, Size, Thinking
from omnipilot.envs.base import Env, Platform, World
from omnipilot.memory import Move

SUITE = "speed_sweep:Counting"
SIZE = Size(412, 916)
STEPS, EPISODES = 10, 100
AXES = ("memory",)


class _Counter(World, Env):
    """A world of one screen with a list of 20 rows and a count, which every click adds one to."""

    name = "counter"
    platform: Platform = "phone"
    size = SIZE
    verbs = frozenset({"click"})
    custom: Mapping[str, CustomVerb] = {}
    now = 0.0
    count = 0

    @property
    def envs(self) -> dict[str, Any]:
        return {self.name: self}

    def reset(self, instance: int) -> None:
        self.now, self.count = 0.0, 0

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def think(self, measured: float) -> None:
        pass

    def close(self) -> None:
        pass

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        names = [f"count {self.count}", *(f"row {i}" for i in range(1, 20))]
        rows = tuple(Element("button", name, Box(0, i / 20, 1, (i + 1) / 20)) for i, name in enumerate(names))
        return Observation(self.name, self.now, SIZE, elements=Elements(rows)).only(modalities, "unasked")

    def act(self, action: Action) -> None:
        self.now += 0.1
        self.count += 1


class Counting(Suite):
    """Tasks that count; every third of them asks for more than the demonstration does."""

    name = "counting"
    version = "1"

    def tasks(self) -> Sequence[TaskInfo]:
        return [TaskInfo(f"count-{number:03}", "count", ("counter",)) for number in range(EPISODES)]

    def world(self, thinking: Thinking) -> Any:
        return _Counter()

    def instantiate(self, task_id: str, instance: int) -> Task:
        wanted = STEPS + (int(task_id.partition("-")[2]) % 3 == 0)

        def setup(world: Any) -> str:
            world.reset(instance)
            return f"Count to {wanted}."

        def counted(case: Case) -> Verdict:
            world: Any = case.world
            return Verdict(min(1.0, world.count / wanted))

        return Task(task_id, instance, setup, JudgeGraph((Judge("counted", counted),)), _clicks)


@dataclass(frozen=True, slots=True)
class Overhead:
    """Seconds of this process's CPU a cell.

    Attributes:
        complete: a complete cell of 100 episodes of 10 steps: found to be so, read, put into the table and the figure.
        page: its part of the page. begun: a cell that is run, beyond a bare `run()` of the same.
    """

    complete: float
    page: float
    begun: float


def sweep_overhead(cells: int = 3, rounds: int = 3) -> Overhead:
    """Measure it: the best of some rounds, and the median of what is a difference of two."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        large = _cells(folder / "large", cells)
        run_cells(large, RunExecution(2))
        complete, page = [], []
        for _ in range(rounds):
            began = time.process_time()
            rows = rows_of(run_cells(large))
            section = Section("Sweep", (sweep_table(rows, AXES),), figure_bytes(sweep_figure(rows, AXES)).decode())
            half = time.process_time()
            write_report([cell.folder for cell in large], folder / "page.html", sections=[section])
            complete.append((half - began) / cells)
            page.append((time.process_time() - half) / cells)
        begun = []
        for number in range(rounds):
            small = _cells(folder / f"small-{number}", cells, ("count-000",))
            began = time.process_time()
            run_cells(small)
            half = time.process_time()
            for cell in small:
                run(cell.spec, folder / f"bare-{number}" / cell.folder.name)
            begun.append((2 * half - began - time.process_time()) / cells)
        return Overhead(min(complete), min(page), median(begun))


def _cells(folder: Path, count: int, tasks: tuple[str, ...] = ()) -> list[Cell]:
    found = []
    for turns in range(1, count + 1):
        agent = AgentSpec(planner=PartSpec("oracle"), memory=PartSpec("window", {"turns": turns}))
        spec = RunSpec(agent, PartSpec(SUITE), tasks=tasks)
        found.append(Cell(f"window({turns})", spec, folder / cell_name(spec)))
    return found


def _clicks(world: Any) -> list[Move]:
    return [Move("counter", Click("row 7"))] * STEPS
