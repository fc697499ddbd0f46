"""The source `listed`: of the elements that a screen lists itself, those that the task needs."""

from __future__ import annotations

import json

import pytest
from chat_server import Answer, ChatServer
from scripted import ScriptedPlanner, ScriptedWorld, agent, brief, decide, element, play

from omnipilot.agents import AgentSpec, PartSpec, build, episode
from omnipilot.agents.wrappers import PerceivingAgent
from omnipilot.envs import Absent, ConfigError, Done, Elements, Modality, Observation
from omnipilot.grounders.sources.listed import ListedElements

ELEMENTS = frozenset({Modality.ELEMENTS})
NAMES = ("Bold", "Save", "Copy", "Undo", "Print")


def screen() -> Observation:
    scene = ScriptedWorld(("pc",), items=tuple(element(name) for name in NAMES))
    return scene.observe_together(ELEMENTS, {"pc": 0.0})["pc"]


def names(elements: Elements | Absent) -> list[str]:
    assert isinstance(elements, Elements)
    return [one.name for one in elements]


def test_words_in_common_choose_where_there_is_no_model() -> None:
    found = ListedElements(keep=1).find(screen(), "Press the print button")
    assert names(found.elements) == ["Print"]
    assert list(found.seconds) == ["filter"] and found.usage.calls == 0


def test_without_a_task_all_are_told() -> None:
    assert names(ListedElements(keep=1).find(screen()).elements) == list(NAMES)


def test_a_model_chooses_by_the_numbers_of_the_list() -> None:
    with ChatServer([Answer(json.dumps({"elements": [4, 2]}))]) as server:
        source = ListedElements(model="openai-compatible/scripted", url=server.url)
        found = source.find(screen(), "Take it back and keep it")
        (asked,) = server.requests
    assert names(found.elements) == ["Save", "Undo"] and found.usage.calls == 1
    assert '2. button "Save" at (' in str(asked.json["messages"]).replace("\\'", "'")
    assert set(source.identity()) == {"prompt"}


def test_words_choose_where_the_model_s_answer_cannot_be_read() -> None:
    with ChatServer([Answer("none of them")]) as server:
        source = ListedElements(model="openai-compatible/scripted", url=server.url, keep=1)
        found = source.find(screen(), "Press the print button")
    assert names(found.elements) == ["Print"] and found.usage.calls == 1


def test_an_agent_is_shown_what_is_left_of_the_tree_and_no_picture_is_captured() -> None:
    scene = ScriptedWorld(("pc",), items=tuple(element(name) for name in NAMES))
    planner = ScriptedPlanner(decide(Done()))
    one = PerceivingAgent(agent(planner, planner_sees=ELEMENTS, grounder_sees=frozenset()), ListedElements(keep=2))
    assert one.modalities == ELEMENTS
    play(episode(scene, one, brief(scene, "Undo it and print it")))
    (seen,) = [request.observations["pc"] for request in planner.requests]
    assert sorted(names(seen.elements)) == ["Print", "Undo"]


def test_it_is_refused_where_elements_are_withheld_and_where_nothing_may_be_kept() -> None:
    spec = AgentSpec(
        planner=PartSpec("noop"), perception=PartSpec("listed"), modalities=frozenset({Modality.SCREENSHOT})
    )
    with pytest.raises(ConfigError, match="'listed' reads the elements"):
        build(spec)
    with pytest.raises(ConfigError, match="keep must be at least 1"):
        ListedElements(keep=0)
