"""The map of screens in a memory: what it recalls, and to whom."""

from __future__ import annotations

from omnipilot.envs import Modality
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.types.actions import Action, Click, OpenApp, System
from omnipilot.envs.types.geometry import Point
from omnipilot.memory import Budget, Move, Outcome, Role, Step, Turn, Usage
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.memory.episodic.screen_map.companion import LONGEST_SHOWN

ALL = frozenset(Modality)


def remembered(*actions: Action, first: int = 0) -> EpisodicMemory:
    """What a memory holds after actions on the phone of the embedded world, before the turn that follows them."""
    world, memory = SimWorld(), EpisodicMemory(map=True)
    world.reset(0)
    for turn, action in enumerate((*actions, None), first):
        seen = {name: env.observe(ALL - {Modality.VIDEO}, world.now) for name, env in world.envs.items()}
        memory.watch(turn, seen)
        if action is not None:
            start = world.now
            world.envs["phone"].act(action)
            step = Step(turn, turn, Move("phone", action), action, Outcome("done"), start=start, end=world.now)
            memory.record(Turn(turn, seen, "", (), (step,), Usage()))
    return memory


def told(memory: EpisodicMemory, role: Role, budget: Budget | None = None) -> dict[str, str]:
    found = memory.recall("open the clock", budget or Budget(), role, ("phone", "desktop"))
    return {one.env: str(one.part) for one in found if one.source == "map"}


CLOCK = (OpenApp("Clock"), System("home"), Click(Point(0.4, 0.33)), System("home"))


def test_it_tells_where_the_agent_is_and_how_to_get_elsewhere() -> None:
    text = told(remembered(*CLOCK), Role("planner"))["phone"]
    assert text.startswith("You are at phone-1 home")
    assert 'To phone-2 Clock "Clock": ' in text
    assert 'open_app app="Clock"' in text or 'click "Clock"' in text
    assert 'Never operated here: "Messages", "Notes"' in text


def test_a_role_is_told_only_what_its_modalities_show() -> None:
    memory = remembered(*CLOCK)
    assert told(memory, Role("planner", ALL - {Modality.ELEMENTS})) == {}
    blind = told(memory, Role("planner", ALL - {Modality.CONTEXT}))["phone"]
    assert "Clock" in blind  # an element's name: the button on the home screen
    assert "phone-1 home" not in blind
    assert set(told(memory, Role("planner", envs=frozenset({"desktop"})))) == {"desktop"}


def test_it_tells_what_a_page_that_the_task_names_showed_last_and_when() -> None:
    memory = remembered(*CLOCK)
    text = told(memory, Role("planner"))["phone"]
    (line,) = (line for line in text.splitlines() if " last showed, " in line)
    seen = [
        event for event in memory.timeline if event.kind == "text" and event.env == "phone" and event.app == "Clock"
    ]
    assert line.startswith(
        f'phone-2 Clock "Clock" last showed, in turn {seen[-1].turn + 1}, at {seen[-1].start:.1f} s: '
    )
    said = line.partition(" s: ")[2]
    assert 0 < len(said) <= LONGEST_SHOWN
    assert any(part in seen[-1].text for part in said.split(" | ") if len(part) > 4)
    asked = memory.recall("send a message", Budget(), Role("planner"), ("phone", "desktop"))
    assert not any(" last showed, " in str(one.part) for one in asked), "only pages that the task names"
    less = told(memory, Role("planner", ALL - {Modality.CONTEXT}))["phone"]
    assert 'phone-2 "Clock" last showed' in less and "phone-2 Clock" not in less
    assert " last showed, before the task began, " in told(remembered(*CLOCK, first=-9), Role("planner"))["phone"]


def test_it_keeps_to_the_budget() -> None:
    memory = remembered(*CLOCK)
    for characters in (0, 10, 60, 150, 400):
        found = told(memory, Role("planner"), Budget(texts=0, characters=characters))
        assert sum(map(len, found.values())) <= characters


def test_without_elements_there_is_no_map() -> None:
    world, memory = SimWorld(), EpisodicMemory(map=True)
    world.reset(0)
    memory.watch(0, {"phone": world.envs["phone"].observe({Modality.SCREENSHOT, Modality.CONTEXT}, 0.0)})
    assert told(memory, Role("planner")) == {}
    assert not any(event.kind == "page" for event in memory.timeline)


def test_the_graph_is_in_what_is_remembered() -> None:
    memory = remembered(*CLOCK)
    pages = [event for event in memory.drain_events() if event.kind == "page" and event.env == "phone"]
    assert [event.app for event in pages if event.to_json()["detail"]["new"]] == ["home", "Clock"]
    ways = {
        (event.to_json()["detail"]["from"], event.to_json()["detail"]["id"])
        for event in pages
        if "from" in event.to_json()["detail"]
    }
    assert ways == {("phone-1", "phone-2"), ("phone-2", "phone-1")}


def test_a_memory_without_the_option_has_no_map() -> None:
    memory = EpisodicMemory()
    world = SimWorld()
    world.reset(0)
    memory.watch(0, {"phone": world.envs["phone"].observe(ALL, 0.0)})
    assert not any(event.kind == "page" for event in memory.timeline)
    assert told(memory, Role("planner")) == {}


def test_clear_forgets_the_map() -> None:
    memory = remembered(*CLOCK)
    memory.clear()
    assert told(memory, Role("planner")) == {}


def test_the_map_has_room_beside_many_anchors() -> None:
    memory = remembered(OpenApp("Messages"), OpenApp("Calendar"), OpenApp("Phone"), OpenApp("Messages"))
    found = memory.recall("call the number", memory.budget, Role("planner"), ("phone", "desktop"))
    assert sum(one.source == "anchor" for one in found) >= 3
    assert {one.env for one in found if one.source == "map"} == {"phone", "desktop"}
