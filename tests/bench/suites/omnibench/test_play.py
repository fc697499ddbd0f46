"""OmniBench's tasks played on the embedded world, and runs scored from their journals."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.journal.events import EpisodeEnded, StepTaken
from omnipilot.bench.run import run
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omnibench import OmniBenchSuite
from omnipilot.bench.suites.omnibench import sample as mini_omnibench
from omnipilot.bench.suites.omnibench.data import load_data
from omnipilot.bench.suites.omnibench.metrics.execution import Execution, consistency, coverage
from omnipilot.bench.suites.omnibench.metrics.graph import Subtask, TaskGraph
from omnipilot.bench.suites.omnibench.predictions import execution_of
from omnipilot.bench.suites.omnibench.score import OmniBench
from omnipilot.envs.sim import SimWorld

CHAIN = TaskGraph(tuple(Subtask(name, "Word") for name in ("late", "early")), (("early", "late"),))
"""Two subtasks, of which the file lists the later one first."""


def step(*done: str, executed: Mapping[str, Any] | None = None, result: str = "done") -> StepTaken:
    """A step after which the judges found these subtasks complete."""
    changes = [{"node": name, "progress": 1.0, "reason": "", "completed": True} for name in done]
    made = executed or {"kind": "press", "keys": ["a"]}
    head = ("12#0.0", 1, 0, 0, "desktop", made, made, result, "", True, None, [], 0.0, 1.0, {})
    return StepTaken(*head, changes, 0, {})


def ended(*late: str, reason: str = "done") -> EpisodeEnded:
    """The end of the episode, with what judges that wait for it found."""
    changes = [{"node": name, "progress": 1.0, "reason": "", "completed": True} for name in late]
    return EpisodeEnded("12#0.0", 1, reason, "", "", 0, 2, 1, 1, 1, 0, {}, changes, {}, 0.0, 0.0)


def order(*steps: StepTaken, end: EpisodeEnded, variant: str, graph: TaskGraph = CHAIN) -> tuple[str, ...]:
    """The completed subtasks of an episode, in order."""
    return execution_of(graph, steps, end, variant).executed


def test_a_subtask_listed_before_its_own_counts_in_the_same_step_on_paper_and_in_the_next_as_released() -> None:
    both = step("early", "late")
    assert order(both, end=ended(), variant="paper") == ("early", "late")
    assert order(both, end=ended(), variant="release") == ("early",)
    assert order(both, step(), end=ended(), variant="release") == ("early", "late")


def test_the_released_loop_gives_up_after_20_steps_without_a_subtask() -> None:
    idle = [step()] * 19
    assert order(*idle, step("early"), end=ended(), variant="release") == ("early",)
    assert order(*idle, step(), step("early"), end=ended(), variant="release") == ()
    assert order(*idle, step(), step("early"), end=ended(), variant="paper") == ("early",)


def test_nothing_counts_behind_finish_as_released() -> None:
    finish = step(executed={"kind": "done", "status": "success"}, result="control")
    assert order(step("early"), finish, step("late"), end=ended(), variant="release") == ("early",)


@pytest.mark.parametrize("variant", ["paper", "release"])
def test_what_judges_find_at_the_end_belongs_to_the_last_step(variant: str) -> None:
    assert order(step("early"), step(), end=ended("late"), variant=variant) == ("early", "late")


def test_a_void_episode_is_worth_nothing() -> None:
    one = execution_of(CHAIN, [step("early", "late")], ended(reason="void"), "paper")
    assert one.void
    assert coverage(one) == 0.0


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Miniature tasks."""
    folder = tmp_path_factory.mktemp("omnibench")
    mini_omnibench.write(folder)
    return folder


@pytest.fixture(scope="module")
def runs(data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs of baseline planners through the runner, with worker processes."""
    folder = tmp_path_factory.mktemp("runs")
    suite = PartSpec("omnipilot.bench.suites.omnibench.suite:OmniBenchSuite", {"data": str(data)})
    for planner in ("oracle", "noop"):
        run(RunSpec(AgentSpec(planner=PartSpec(planner)), suite), folder / planner)
    return {path.name: path for path in folder.iterdir()}


def completed(folder: Path, graphs: Collection[str]) -> dict[str, list[str]]:
    """Subtasks in the order in which a journal has them, read as plain JSON."""
    found: dict[str, list[str]] = {name: [] for name in graphs}
    for line in (folder / "journal.jsonl").read_text().splitlines():
        event = json.loads(line)
        if event["event"] == "step":
            found[event["key"].partition("#")[0]] += [c["node"] for c in event["changes"] if c["completed"]]
    return found


@pytest.mark.slow
def test_through_the_runner_the_oracle_completes_all_and_doing_nothing_none(
    data: Path, runs: Mapping[str, Path]
) -> None:
    tasks = load_data(Source.open(str(data), "")).items
    orders = completed(runs["oracle"], [task.id for task in tasks])
    logic = [consistency(Execution(task.graph, tuple(orders[task.id]))) for task in tasks]
    defined = [value for value in logic if value is not None]
    found = OmniBench().score("", runs["oracle"], "paper")
    assert [found.figure(name).value for name in ("CR", "SR")] == [1.0, 1.0]
    assert found.figure("LC").value == pytest.approx(sum(defined) / len(defined))
    assert found.figure("LC").of == len(defined) < len(tasks)
    assert found.missing == found.extra == ()
    nothing = OmniBench().score(str(data), runs["noop"], "paper")
    assert [nothing.figure(name).value for name in ("CR", "LC", "SR")] == [0.0, 0.0, 0.0]
    # As released a task of one level, and no other, is complete with nothing done.
    idle = OmniBench().score(str(data), runs["noop"], "release").figure("completion").value
    assert idle == pytest.approx(sum(not task.graph.edges for task in tasks) / len(tasks))


def test_the_tasks_are_set_up_alike_each_time_and_an_unknown_one_is_told(data: Path) -> None:
    suite = OmniBenchSuite(str(data))
    assert suite.bad == ()
    instructions, states = set(), set()
    for instance in (0, 1):
        world = SimWorld()
        instructions.add(suite.instantiate("6", instance).setup(world))
        states.add(repr(world.state().account))
    assert len(instructions) == len(states) == 1
    assert suite.instantiate("6", 0).intent == "Everything for the move"
    assert not any(info.seeded for info in suite.tasks())


@pytest.mark.parametrize("seed", [1, 2])
def test_miniatures_of_other_seeds_name_the_parameters_that_they_mean(tmp_path: Path, seed: int) -> None:
    mini_omnibench.write(tmp_path, seed)
    suite = OmniBenchSuite(str(tmp_path))
    assert suite.bad == ()
    assert len(suite.tasks()) == len(mini_omnibench.TASKS)
    for task in load_data(Source.open(str(tmp_path), "")).items:
        for subtask in task.subtasks:
            assert subtask.parameters_in(task.instruction) == subtask.parameters[1]
