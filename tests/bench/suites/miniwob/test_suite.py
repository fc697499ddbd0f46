"""The suite `miniwob`: real pages in a real Chromium, scored by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from omnipilot.bench import Case, GraphEvaluator
from omnipilot.bench.suites.miniwob import Miniwob, MiniwobWorld
from omnipilot.bench.suites.miniwob.suite import UNSEEDED
from omnipilot.bench.suites.miniwob.world import FLIGHT_SIZE, SIZE
from omnipilot.envs import (
    ActionRejected,
    Browser,
    Capability,
    Click,
    ConfigError,
    Element,
    Elements,
    Modality,
    OpenUrl,
    Thinking,
    TypeText,
)
from omnipilot.envs.types.observation import Image

pytestmark = pytest.mark.needs("omnipilot[web]")
FIVE = ("click-button", "click-link", "click-tab", "enter-text", "focus-text")
DOM = """() => document.documentElement.outerHTML
  + [...document.querySelectorAll('input,textarea,select')].map(field => field.value)"""


@pytest.fixture(scope="module")
def suite() -> Miniwob:
    return Miniwob()


@pytest.fixture(scope="module")
def world(chromium_path: str, suite: Miniwob) -> Iterator[MiniwobWorld]:
    assert chromium_path
    world = suite.world(Thinking())
    yield world
    world.close()


def elements(world: MiniwobWorld) -> list[Element]:
    found = world.browser.observe({Modality.ELEMENTS}, 0.0).elements
    assert isinstance(found, Elements) and not found.truncated
    return list(found)


def press(world: MiniwobWorld, role: str, name: str) -> None:
    element = next(e for e in elements(world) if (e.role, e.name) == (role, name))
    world.browser.act(Click(element.box.center))


def test_every_page_of_the_package_is_a_task(suite: Miniwob) -> None:
    ids = [task.id for task in suite.tasks()]
    files = {file.stem for file in Path(suite.html, "miniwob").glob("*.html")}
    assert files <= set(ids) and len(ids) == len(set(ids)) == len(files) + 4 and set(FIVE) <= set(ids)
    assert all(task.description for task in suite.tasks())
    assert {task.id for task in suite.tasks() if not task.seeded} == set(UNSEEDED)


def test_an_unknown_page_is_told_with_the_nearest(suite: Miniwob) -> None:
    with pytest.raises(ConfigError, match="click-button"):
        suite.instantiate("click-buton", 0)
    with pytest.raises(ConfigError, match="none or page"):
        Miniwob(time_limit="short")  # type: ignore[arg-type]


@pytest.mark.web
@pytest.mark.slow
def test_every_page_starts_and_those_that_heed_their_seed_are_known(suite: Miniwob, world: MiniwobWorld) -> None:
    differ, silent = set(), set()
    for task in suite.tasks():
        for _ in range(3):  # a page may be caught in the middle of its first animation, on a busy machine
            first, second = [(world.start(task.id, 7), world.browser.ask_page(DOM)) for _ in range(2)]
            if first == second:
                break
        else:
            differ.add(task.id)
        if not first[0]:
            silent.add(task.id)
        assert not world.ended()
    assert not silent
    assert differ <= set(UNSEEDED)


@pytest.mark.slow
@pytest.mark.web
@pytest.mark.parametrize("name", FIVE)
def test_instances_differ_and_repeat(world: MiniwobWorld, name: str) -> None:
    def content(instance: int) -> tuple[str, list[tuple[str, str, str]]]:
        return world.start(name, instance), [(e.role, e.name, str(e.box)) for e in elements(world)]

    assert content(3) == content(3)
    assert len({str(content(instance)) for instance in range(6)}) > 2


@pytest.mark.web
@pytest.mark.parametrize(("name", "size"), [("click-button", SIZE), ("flight.Alaska", FLIGHT_SIZE)])
def test_the_screen_is_the_task_area(world: MiniwobWorld, name: str, size: object) -> None:
    world.start(name, 1)
    seen = world.browser.observe({Modality.SCREENSHOT}, 0.0)
    assert isinstance(seen.screenshot, Image) and seen.screenshot.size == seen.size == size
    if name == "click-button":
        assert seen.screenshot.array()[2, 80].tolist() == [255, 255, 0], "the instruction stands on yellow at the top"


@pytest.mark.web
def test_the_right_button_is_a_success_and_the_wrong_one_is_not(suite: Miniwob, world: MiniwobWorld) -> None:
    assert Capability.STATE in world.capabilities and Capability.ENDS in world.capabilities
    outcomes = set()
    for right in (True, False):
        instance = 0
        while True:
            task = suite.instantiate("click-button", instance)
            instruction = task.setup(world)
            wanted = re.findall('"(.*)"', instruction)[0]
            buttons = [e.name for e in elements(world) if e.role == "button"]
            chosen = [name for name in buttons if (name == wanted) is right]
            if chosen:
                break
            instance += 1
        evaluator = GraphEvaluator(task.graph)
        assert not evaluator.step(Case(world)) and not world.ended()
        press(world, "button", chosen[0])
        changes = evaluator.step(Case(world), ended=True)
        assert evaluator.success is right and (world.state().reward > 0) is right
        assert "raw reward" in world.ended()
        outcomes.add((right, changes[0].verdict.reason if changes else ""))
    assert (True, "raw reward 1") in outcomes


@pytest.mark.web
def test_doing_nothing_is_no_success(suite: Miniwob, world: MiniwobWorld) -> None:
    for name in FIVE:
        task = suite.instantiate(name, 0)
        task.setup(world)
        evaluator = GraphEvaluator(task.graph)
        evaluator.step(Case(world), ended=True)
        assert not evaluator.success and not world.ended()


@pytest.mark.web
def test_a_partial_reward_is_a_success_and_its_size_is_told(suite: Miniwob, world: MiniwobWorld) -> None:
    task = suite.instantiate("click-button", 0)
    task.setup(world)
    world.browser.ask_page("() => core.endEpisode(0.25, false, 'nearly')")
    evaluator = GraphEvaluator(task.graph)
    (change,) = evaluator.step(Case(world))
    assert evaluator.success and change.verdict.reason == "raw reward 0.25: nearly"


@pytest.mark.web
def test_text_is_entered_and_submitted(world: MiniwobWorld) -> None:
    instruction = world.start("enter-text", 5)
    word = re.findall('"(.*)"', instruction)[0]
    field = next(e for e in elements(world) if e.role == "textbox")
    world.browser.act(TypeText(word, at=field.box.center))
    press(world, "button", "Submit")
    assert world.state().done and world.state().reward == 1


@pytest.mark.slow
@pytest.mark.web
def test_a_page_has_its_own_time_limit_or_none(suite: Miniwob, world: MiniwobWorld) -> None:
    ask = "() => core.EPISODE_MAX_TIME"
    world.start("click-button", 0)
    assert world.browser.ask_page(ask) == 2**31 - 1
    limited = Miniwob(time_limit="page").world(Thinking())
    try:
        limited.start("click-button", 0)
        assert limited.browser.ask_page(ask) == 10_000
    finally:
        limited.close()


@pytest.mark.web
def test_an_agent_cannot_leave_the_page(world: MiniwobWorld) -> None:
    world.start("click-button", 0)
    for action in (OpenUrl("https://example.org"), Browser("new_tab"), Browser("reload")):
        with pytest.raises(ActionRejected):
            world.browser.act(action)


@pytest.mark.web
def test_a_page_that_was_left_all_the_same_is_over_without_reward(world: MiniwobWorld) -> None:
    world.start("click-button", 0)
    world.browser.open("about:blank")
    assert "left" in world.ended() and world.state().reward == 0
    assert world.start("click-button", 0) and not world.ended()


@pytest.mark.slow
@pytest.mark.web
def test_a_page_never_scrolls_away_from_its_task_area(world: MiniwobWorld) -> None:
    for instance in range(3):
        world.start("click-dialog", instance)
        assert any(e.role == "dialog" for e in elements(world))
        assert world.browser.ask_page("() => [scrollX, scrollY]") == [0, 0]


@pytest.mark.web
def test_the_clock_starts_with_the_episode(world: MiniwobWorld) -> None:
    world.start("click-button", 0)
    before = world.now
    world.wait(0.2)
    assert before < 2 and 0.2 <= world.now - before < 2


@pytest.mark.slow
@pytest.mark.web
def test_a_world_without_a_page_cannot_be_reset(chromium_path: str, suite: Miniwob) -> None:
    assert chromium_path
    world = suite.world(Thinking())
    try:
        with pytest.raises(ConfigError, match="start"):
            world.reset(0)
    finally:
        world.close()
        world.close()
