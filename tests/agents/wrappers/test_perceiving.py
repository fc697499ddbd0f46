"""Perception: what an agent is shown as a screen's elements is read from its picture, and nothing of its tree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from read_screens import ShadeSource
from scripted import (
    ScriptedPlanner,
    ScriptedRecorder,
    ScriptedWorld,
    WatchedMemory,
    agent,
    brief,
    decide,
    element,
    play,
)
from scripted_model import ScriptedModel, says

from omnipilot.agents import AgentSpec, Choice, PartSpec, build, episode
from omnipilot.agents.assembly.examine import examine
from omnipilot.agents.wrappers import PerceivingAgent
from omnipilot.bench.journal.recorder import EpisodeRecorder, elements_from_text
from omnipilot.envs import Absent, Click, ConfigError, Done, Elements, Image, Modality, Observation, Point, Size
from omnipilot.grounders import ElementsGrounder
from omnipilot.memory import MalformedReply, MediaStore
from omnipilot.planners import ScriptPlanner

ELEMENTS, SCREENSHOT = frozenset({Modality.ELEMENTS}), frozenset({Modality.SCREENSHOT})
SOURCE = PartSpec("read_screens:ShadeSource")


def names(seen: Observation) -> list[str]:
    assert isinstance(seen.elements, Elements)
    return [one.name for one in seen.elements]


def world() -> ScriptedWorld:
    return ScriptedWorld(("pc",), items=(element("Save"),))


def test_a_planner_that_is_granted_elements_alone_is_shown_what_the_source_reads() -> None:
    scene, source = world(), ShadeSource()
    planner = ScriptedPlanner(decide(("pc", Click(Point(0.5, 0.5)))), decide(Done()))
    one = PerceivingAgent(agent(planner, planner_sees=ELEMENTS, grounder_sees=frozenset()), source)
    assert one.modalities == SCREENSHOT, "the tree is not even captured"
    play(episode(scene, one, brief(scene, "Save it")))
    shown = [request.observations["pc"] for request in planner.requests]
    assert [names(seen) for seen in shown] == [["shade 0 of Save it"], ["shade 1 of Save it"]]
    assert all(isinstance(seen.screenshot, Absent) for seen in shown)
    assert all(isinstance(seen.elements, Absent) for seen in source.seen), "the source reads the picture alone"


def test_memory_and_grounder_know_the_same_elements_and_each_screen_is_read_once() -> None:
    scene, source, memory = world(), ShadeSource(), WatchedMemory()
    planner = ScriptedPlanner(decide(("pc", Click("shade 0 of Save it")), ("pc", Click("shade 1 of Save it"))))
    one = PerceivingAgent(agent(planner, ElementsGrounder(), memory=memory), source)
    steps, _ = play(episode(scene, one, brief(scene, "Save it")))
    assert [step.executed for step in steps[:2]] == [Click(Point(0.5, 0.5))] * 2, "the second on a fresh screen"
    assert [step.usage.calls for step in steps[:2]] == [0, 1], "which was read for it"
    assert len(source.seen) == 3, "before, between and after the two clicks; not again while nothing changes"
    play(episode(world(), one, brief(scene, "Open it")))
    assert names(planner.requests[0].observations["pc"]) == ["shade 0 of Open it"]


def test_the_journal_holds_what_the_planner_was_shown_and_what_it_cost(tmp_path: Path) -> None:
    scene, events = world(), []
    planner = ScriptedPlanner(decide(Done()))
    one = PerceivingAgent(agent(planner, planner_sees=ELEMENTS), ShadeSource())
    store = MediaStore(tmp_path)
    play(episode(scene, one, brief(scene, "Save it"), recorder=EpisodeRecorder("k", 0, store, events.append)))
    (turn,) = [event for event in events if event.event == "turn"]
    found = turn.perceived["pc"]
    kept = elements_from_text(store.get_json(found["elements"]["digest"]))
    assert [item.name for item in kept] == ["shade 0 of Save it"] and found["seconds"] == {"texts": 0.25}
    assert found["usage"]["calls"] == 1 and turn.usage["calls"] == 1 and turn.usage["cost"] == 0.001
    assert json.loads(json.dumps(turn.perceived)) == turn.perceived


def test_a_reply_that_cannot_be_read_costs_the_reading_too() -> None:
    scene = world()
    planner = ScriptedPlanner(MalformedReply("what?"), decide(Done()))
    one = PerceivingAgent(agent(planner), ShadeSource())
    taken: list[tuple[int, float | None, list[int]]] = []

    class Kept(ScriptedRecorder):
        def decided(self, turn: int, choice: Choice, seconds: float) -> None:
            calls = [found.usage.calls for found in choice.perceived.values()]
            taken.append((turn, choice.decision.usage.cost, calls))

    play(episode(scene, one, brief(scene), recorder=Kept()))
    assert taken == [(0, 0.001, [1]), (1, 0.0, [0])], "the screen of the second turn is the same, and known"


def test_a_screen_without_a_picture_has_no_elements() -> None:
    from omnipilot.agents.base import Situation

    planner = ScriptedPlanner(decide(Done()))
    one = PerceivingAgent(agent(planner), ShadeSource())
    scene = world()
    one.begin(brief(scene))
    dark = Observation("pc", 0.0, Size(4, 4), screenshot=Absent("failed", "the screen is off"), elements=Elements(()))
    assert not one.decide(Situation(0, {"pc": dark}, lambda _: dark)).perceived
    assert planner.requests[0].observations["pc"].elements == Absent("failed", "the screen is off")


def test_it_is_a_part_by_name_warmed_up_and_part_of_the_identity() -> None:
    spec = AgentSpec(planner=PartSpec("noop"), perception=SOURCE, planner_modalities=ELEMENTS)
    built = build(spec)
    assert isinstance(built, PerceivingAgent)
    built.warm_up()
    assert built.source.warm == 1  # type: ignore[attr-defined]
    assert examine(spec).prompts["perception.shades"] == "0f"
    assert AgentSpec().perception is None


@pytest.mark.parametrize(
    ("granted", "told"),
    [
        (ELEMENTS, "reads the screenshot, which --modalities withholds; add screenshot there, and keep it from the"),
        (SCREENSHOT, "finds elements, which --modalities withholds from all that would read them; add elements there"),
    ],
)
def test_it_is_refused_where_it_is_shown_no_picture_or_shows_nobody_anything(granted, told: str) -> None:
    spec = AgentSpec(planner=PartSpec("noop"), perception=SOURCE, modalities=granted)
    assert any(told in str(mistake) for mistake in examine(spec).mistakes)
    with pytest.raises(ConfigError, match="perception"):
        build(spec)


def test_a_text_model_sees_no_picture_in_any_request() -> None:
    scene = world()
    model = ScriptedModel(says("```python\npyautogui.click(10, 5)\n```"), says("```python\ndone()\n```"))
    writer = ScriptPlanner.over(model)
    one = PerceivingAgent(agent(writer, planner_sees=ELEMENTS, grounder_sees=frozenset()), ShadeSource())
    steps, _ = play(episode(scene, one, brief(scene, "Save it")))
    assert steps[0].executed is not None and steps[-1].proposed.intent == Done()
    assert [asked.media for asked in model.asked] == [(), ()]
    assert "shade 0 of Save it" in model.asked[0].words and "shade 1 of Save it" in model.asked[1].words
    assert not any(isinstance(part, Image) for asked in model.asked for part in asked.media)
