"""The suite `browsergym` with a double of BrowserGym's packages: its script, its world, and what goes wrong."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import Case, GraphEvaluator
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.suites.browsergym import BrowserGym, BrowserGymWorld
from omnipilot.bench.suites.browsergym import suite as module
from omnipilot.envs import (
    ActionRejected,
    Answer,
    AskUser,
    Click,
    ConfigError,
    Done,
    Elements,
    EnvLost,
    Modality,
    Point,
    Size,
    Thinking,
    TypeText,
)

DOUBLE = Path(__file__).with_name("double")
SIZE = Size(300, 150)


@pytest.fixture(autouse=True)
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PYTHONPATH", str(DOUBLE))
    monkeypatch.setenv("MINIWOB_URL", "file:///pages/")
    monkeypatch.setattr(module, "find_chromium", lambda: Path("/usr/bin/chromium"))
    module._catalogue.cache_clear()
    yield
    module._catalogue.cache_clear()


def make_suite(**options: str) -> BrowserGym:
    return BrowserGym(python=sys.executable, delay=0.0, **options)  # type: ignore[arg-type]


@pytest.fixture
def world() -> Iterator[BrowserGymWorld]:
    world = make_suite().world(Thinking())
    yield world
    world.close()


def at(x: float, y: float) -> Point:
    return Point.from_pixels(x, y, SIZE)


def test_tasks_are_those_that_are_registered_and_have_the_benchmarks_limits() -> None:
    suite = make_suite()
    assert [info.id for info in suite.tasks()][:2] == ["miniwob.save", "miniwob.half"]
    task = suite.instantiate("miniwob.save", 0)
    assert task.limits is not None and (task.limits.turns, task.limits.actions) == (10, 10)
    assert [info.id for info in make_suite(benchmark="openended", url="file:///x", goal="Look").tasks()] == [
        "openended"
    ]
    with pytest.raises(ConfigError, match=r"did you mean .*miniwob\.save"):
        suite.instantiate("miniwob.sav", 0)


def test_the_button_is_a_reward_of_one_and_the_episode_ends(world: BrowserGymWorld) -> None:
    task = make_suite().instantiate("miniwob.save", 7)
    assert task.setup(world) == "Save the note 7"
    evaluator = GraphEvaluator(task.graph)
    assert not evaluator.step(Case(world)) and not world.ended()
    world.browser.act(Click(at(250, 100)))
    assert not evaluator.step(Case(world))
    world.browser.act(Click(at(60, 30)))
    assert evaluator.step(Case(world)) and evaluator.success and "reward 1" in world.ended()
    assert world.state().sent == ("mouse_click(250, 100)", "mouse_click(60, 30)")


def test_a_part_of_the_reward_is_progress(world: BrowserGymWorld) -> None:
    task = make_suite().instantiate("miniwob.half", 0)
    task.setup(world)
    world.browser.act(Click(at(60, 30)))
    (change,) = GraphEvaluator(task.graph).step(Case(world))
    assert change.verdict.progress == 0.5 and not change.completed


def test_what_is_seen_is_in_pixels_of_the_screenshot(world: BrowserGymWorld) -> None:
    world.start("miniwob.save", 3)
    seen = world.browser.observe({Modality.SCREENSHOT, Modality.ELEMENTS}, 0.0)
    assert seen.size == SIZE == world.browser.size and seen.screenshot.array()[0, 0].tolist() == [3, 3, 3]
    assert isinstance(seen.elements, Elements)
    told = {one.id: (one.role, one.name, one.value, sorted(one.states)) for one in seen.elements}
    assert told["12"] == ("button", "Save", "", [])
    assert told["a3"] == ("textbox", "Note", "old", ["focused"])
    assert "16" not in told, "it is hidden"
    assert "17" not in told, "it has neither a name nor a use"
    box = next(one for one in seen.elements if one.id == "12").box
    assert box.to_pixels(SIZE) == pytest.approx((10, 10, 110, 50))


def test_a_clickable_word_has_the_name_of_its_text() -> None:
    from omnipilot.bench.suites.browsergym.page_reading import _elements

    sys.path.insert(0, str(DOUBLE / "browsergym" / "core"))
    try:
        import env as page  # type: ignore[import-not-found]
    finally:
        sys.path.pop(0)
    more = {bid: {"bbox": box, "visibility": 1.0, "clickable": bid == "14"} for bid, box in page.BOXES.items()}
    (link,) = [one for one in _elements(page.NODES, more, {"14": "span"}) if one["id"] == "14"]
    assert (link["role"], link["name"]) == ("link", "here")
    bar = {**page.NODES[3], "childIds": ["2", "6"]}
    (named,) = [one for one in _elements([bar, *page.NODES[:3], *page.NODES[4:]], more, {}) if one["id"] == "14"]
    assert named["name"] == "here", "and not that of the button in it"
    (other,) = [one for one in _elements(page.NODES, more, {"14": "div"}) if one["id"] == "14"]
    assert other["role"] == "button"


def test_answers_and_endings_reach_the_judges(world: BrowserGymWorld) -> None:
    world.start("miniwob.save", 0)
    world.hear(AskUser("Which note?"))
    world.hear(Answer("41"))
    assert not world.ended() and world.state().sent == ("send_msg_to_user('41')",)
    world.hear(Answer("42"))
    assert world.ended() and world.state().reward == 1.0
    world.start("miniwob.save", 0)
    world.hear(Done("success"))
    assert world.state().sent == ()
    world.hear(Done("infeasible", "there is no note"))
    assert world.ended() and world.state().reward == 0.0
    assert world.state().sent == ("report_infeasible('there is no note')",)


def test_an_error_of_an_action_is_a_rejection_in_one_line() -> None:
    world = make_suite(actions="bid").world(Thinking())
    try:
        world.start("miniwob.list", 0)
        with pytest.raises(ActionRejected, match=r"TimeoutError: Locator.click: Timeout 500ms exceeded\.$"):
            world.browser.act(Click(at(60, 120)))
        assert world.state().sent == ("click('15', 'left', [])",)
    finally:
        world.close()


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("miniwob.unbegun", "the server does not answer"),
        ("miniwob.pictured", "has pictures"),
    ],
)
def test_a_task_that_cannot_begin_is_void(world: BrowserGymWorld, task: str, said: str) -> None:
    with pytest.raises(EnvLost, match=said):
        world.start(task, 0)


@pytest.mark.parametrize(("task", "said"), [("miniwob.nan", "no score"), ("miniwob.dying", "SystemExit")])
def test_a_judge_that_fails_is_void_and_no_score(world: BrowserGymWorld, task: str, said: str) -> None:
    world.start(task, 0)
    with pytest.raises(EnvLost, match=said):
        world.browser.act(Click(at(60, 30)))


def test_time_passes_by_a_step_of_theirs(world: BrowserGymWorld) -> None:
    world.start("miniwob.save", 0)
    world.wait(0.25)
    world.browser.act(TypeText("it's\n'5'", at(20, 90)))
    assert world.state().sent == ("noop(250)", "mouse_click(20, 90)\nkeyboard_type(\"it's\\n'5'\")")


def test_a_page_of_ones_own_and_its_instruction() -> None:
    suite = make_suite(benchmark="openended", url="file:///x", goal="Look around")
    world = suite.world(Thinking())
    try:
        assert suite.instantiate("openended", 0).setup(world) == "Look around"
        assert world.browser.observe({Modality.CONTEXT}, 0.0).context.url == "file:///x"
    finally:
        world.close()


def test_what_is_wrong_is_said_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="did you mean webarena"):
        make_suite(benchmark="webarenas")
    with pytest.raises(ConfigError, match=r"suite\.actions"):
        make_suite(actions="coords")
    with pytest.raises(ConfigError, match="needs both"):
        make_suite(benchmark="openended", url="file:///x")
    with pytest.raises(ConfigError, match=r"cannot load workarena.*pip install browsergym-workarena"):
        make_suite(benchmark="workarena")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install browsergym-miniwob miniwob; then -o suite\.python"):
        BrowserGym()


def test_the_interpreter_is_no_part_of_a_runs_identity() -> None:
    def identity(**options: str) -> str:
        return RunSpec(AgentSpec(), PartSpec("browsergym", options)).identity

    assert identity(python="a") == identity(python="b") == identity()
    assert identity(actions="bid") != identity()
