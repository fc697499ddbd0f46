"""The suite `cube` with a double of cube-standard: tasks, actions as verbs, rewards, and what goes wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from omnipilot.bench import Case, GraphEvaluator
from omnipilot.bench.suites.cube import Cube, CubeWorld
from omnipilot.bench.suites.cube import suite as module
from omnipilot.bench.suites.cube.world import without_objects
from omnipilot.envs import ActionRejected, Click, ConfigError, Custom, Done, EnvLost, Modality, Point, Size, Thinking
from omnipilot.envs.schema import tool_schema


@pytest.fixture(autouse=True)
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).with_name("double")))
    module._catalogue.cache_clear()
    yield
    module._catalogue.cache_clear()


def make_suite(**options: Any) -> Cube:
    return Cube("double-cube", sys.executable, **options)


@pytest.fixture
def world() -> Iterator[CubeWorld]:
    world = make_suite().world(Thinking())
    yield world
    world.close()


def test_tasks_are_the_cubes() -> None:
    suite = make_suite()
    assert [info.id for info in suite.tasks()] == ["sum", "half", "nan"]
    assert suite.version == f"double-cube 1.0, cube-standard 0.1+{module.ADAPTER}"
    limits = suite.instantiate("sum", 0).limits
    assert limits is not None and (limits.turns, limits.actions) == (3, 3)
    assert [info.id for info in make_suite(debug=True).tasks()] == ["sum"]
    assert [info.id for info in make_suite(config={"ids": ["half"]}).tasks()] == ["half"]
    with pytest.raises(ConfigError, match="did you mean half"):
        suite.instantiate("halff", 0)


def test_its_actions_are_verbs_and_its_reward_is_the_judges(world: CubeWorld) -> None:
    task = make_suite().instantiate("sum", 4)
    assert task.setup(world) == "What is 4 + 1?"
    assert set(world.cube.custom) == {"submit_answer", "cube_click"} and world.cube.verbs == {"click", "custom"}
    schema = tool_schema(world.cube.custom["submit_answer"])
    assert "answer" in str(schema) and "integer" in str(schema)
    evaluator = GraphEvaluator(task.graph)
    assert not evaluator.step(Case(world))
    with pytest.raises(ActionRejected, match="ValueError: there is nothing"):
        world.cube.act(Custom("cube_click"))
    with pytest.raises(ActionRejected, match="submit_answer"):
        world.cube.act(Custom("submit", {"answer": 5}))
    with pytest.raises(ActionRejected, match="missing a required argument"):
        world.cube.act(Custom("submit_answer", {}))
    world.cube.act(Custom("submit_answer", {"answer": 5}))
    assert evaluator.step(Case(world)) and evaluator.success and world.ended()
    world.start("sum", 4)
    world.cube.act(Custom("submit_answer", {"answer": 4}))
    assert world.ended() and world.state().reward == 0.0


def test_what_it_tells_is_the_screen(world: CubeWorld) -> None:
    world.start("sum", 4)
    seen = world.cube.observe({Modality.SCREENSHOT, Modality.ELEMENTS}, 0.0)
    assert seen.size == Size(40, 20) and seen.screenshot.array()[0, 0].tolist() == [9, 8, 7]
    assert [(one.role, one.name) for one in seen.elements] == [("text", "What is 4 + 1?"), ("text", "tree: a page")]
    with pytest.raises(ActionRejected):
        world.cube.act(Custom("cube_click"))
    seen = world.cube.observe({Modality.SCREENSHOT, Modality.ELEMENTS}, 0.0)
    assert [one.name for one in seen.elements] == ["did click"] and seen.screenshot.size == Size(40, 20)
    world.cube.act(Click(Point(0.25, 0.25)))
    assert world.state().reward == 1.0, "at pixel 10, 5 of the picture"


def test_an_ending_is_told_and_a_part_of_the_reward_is_progress(world: CubeWorld) -> None:
    task = make_suite().instantiate("half", 0)
    task.setup(world)
    world.cube.act(Custom("submit_answer", {"answer": 1}))
    (change,) = GraphEvaluator(task.graph).step(Case(world))
    assert change.verdict.progress == 0.5 and not change.completed
    world.start("sum", 0)
    world.hear(Done("success"))
    assert world.ended() and world.state().reward == 0.0


def test_a_judge_that_answers_no_number_is_void(world: CubeWorld) -> None:
    world.start("nan", 0)
    with pytest.raises(EnvLost, match="no score"):
        world.cube.act(Custom("submit_answer", {"answer": 1}))


def test_what_is_wrong_is_said_with_its_cure() -> None:
    with pytest.raises(ConfigError, match=r"-o suite\.cube=NAME"):
        Cube()
    with pytest.raises(ConfigError, match="there are double-cube"):
        Cube("other-cube", sys.executable)


def test_an_object_is_a_text_that_holds_it() -> None:
    place = {"anyOf": [{"type": "object"}, {"type": "string"}, {"type": "null"}, {"type": "integer"}]}
    assert without_objects(place)["anyOf"] == [{"type": "string"}, {"type": "integer"}]
    assert without_objects({"type": "array", "items": {"type": "object"}})["items"] == {"type": "string"}
    assert without_objects({"type": "string", "enum": ["a"]}) == {"type": "string", "enum": ["a"]}
