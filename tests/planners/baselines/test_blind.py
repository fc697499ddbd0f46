"""The blind planner: whatever its agent is granted, the planner within is shown words of its own only."""

from __future__ import annotations

import pytest
from made_parts import make_part, part_of
from scripted import ScriptedGrounder, ScriptedPlanner, ScriptedWorld, WatchedMemory, brief, decide, element, play
from scripted_model import ScriptedModel, calls

from omnipilot.agents import AgentSpec, PartSpec, SingleAgent, build, episode
from omnipilot.agents.assembly.build import PLANNERS
from omnipilot.agents.assembly.examine import examine
from omnipilot.envs import Absent, Click, ConfigError, Done, Modality
from omnipilot.memory import Recalled, Role
from omnipilot.planners import BlindPlanner, Brief, FunctionCallingPlanner, Request
from omnipilot.planners.rules import RulesPlanner


def test_every_modality_is_absent_as_ablated_and_only_own_words_are_recalled() -> None:
    world, inner = ScriptedWorld(items=(element("Save"),)), ScriptedPlanner(decide(Click("left")), decide(Done()))
    roles = Role("planner"), Role("grounder")
    one = SingleAgent(BlindPlanner(inner), ScriptedGrounder({}), WatchedMemory(), *roles)
    play(episode(world, one, brief(world)))
    assert len(inner.requests) == 2
    for request in inner.requests:
        (seen,) = request.observations.values()
        assert all(getattr(seen, modality.value) == Absent("ablated") for modality in Modality)
        assert all(isinstance(part.part, str) for part in request.recalled)


def test_text_that_tells_of_a_screen_is_kept_from_it_and_its_own_is_not() -> None:
    inner = ScriptedPlanner(decide(Done()))
    inner.begin(Brief("", {}))
    sources = ("action", "note", "thought", "advice", "outcome", "marks", "read", "memory", "a reader")
    parts = tuple(Recalled(f"of {source}", source, "pc", 0.0, 0) for source in sources)
    BlindPlanner(inner).plan(Request(Brief("", {}), 0, {}, parts))
    assert [part.source for part in inner.requests[0].recalled] == list(sources[:5])


def test_nothing_is_captured_for_it() -> None:
    agent = build(AgentSpec(planner=part_of(PLANNERS, "blind", {"of": "rules"}), grounder=PartSpec("elements")))
    assert agent.modalities == {Modality.ELEMENTS}, "those of the grounder"
    assert examine(AgentSpec(planner=part_of(PLANNERS, "blind", {"of": "rules"}))).warnings() == []


def test_it_has_the_prompt_of_the_model_within() -> None:
    model = ScriptedModel(calls(("click_in_phone", {"target": "Save"})))
    one = BlindPlanner(FunctionCallingPlanner.over(model))  # type: ignore[arg-type]
    assert one.identity() == FunctionCallingPlanner.over(model).identity()  # type: ignore[arg-type]
    one.begin(Brief("Save it", {}))
    assert "Save it" in str(one.preview(Request(Brief("Save it", {}), 0, {}))[0])
    with pytest.raises(ConfigError, match="the blind RulesPlanner calls no model"):
        BlindPlanner(RulesPlanner()).preview(Request(Brief("", {}), 0, {}))
    spec = AgentSpec(planner=part_of(PLANNERS, "blind", {"of": "openai/gpt-4o"}))
    assert set(examine(spec).prompts) == {"planner.prompt"}
    assert not make_part(PLANNERS, "blind", {"of": "openai/gpt-4o"}).points
