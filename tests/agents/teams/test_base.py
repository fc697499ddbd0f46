"""What every agent system does with anchors, and what it gives its planner beside memory."""

from __future__ import annotations

from dataclasses import replace

from scripted import ScriptedGrounder, ScriptedPlanner, ScriptedWorld, agent, brief, decide, element, play
from scripted_model import ScriptedModel, calls

from omnipilot.agents import Limits, episode
from omnipilot.agents.teams.base import EXAMPLES, fit_examples
from omnipilot.envs import Answer, Done, TypeText
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Budget, Recalled, Step
from omnipilot.memory.allowance import estimate_tokens
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.memory.episodic.anchors.remembered import anchor_key
from omnipilot.planners import Brief, FunctionCallingPlanner, Verbs

CODE = (element("Door code: 4711", id="e1", role="text"),)
KEY = anchor_key(0, brief(ScriptedWorld()).instruction)
"""What the planner of these episodes writes before the name of an anchor."""


def lived(planner: object, memory: object = None) -> list[Step]:
    world = ScriptedWorld(items=CODE)
    return play(episode(world, agent(planner, memory=memory or EpisodicMemory()), brief(world)))[0]


def test_an_anchor_is_filled_in_as_the_action_is_carried_out_and_both_are_kept() -> None:
    named = f"{{@{KEY}:code-1}}"
    planner = ScriptedPlanner(decide(("pc", TypeText(f"{named}!")), Answer(named)), decide(Done()))
    typed, answered, _ = lived(planner)
    assert typed.proposed is not None and typed.proposed.intent == TypeText(f"{named}!")
    assert (typed.executed, answered.executed) == (TypeText("4711!"), Answer("4711"))


def test_an_unknown_anchor_is_refused_with_the_near_names() -> None:
    planner = ScriptedPlanner(decide(("pc", TypeText(f"{{@{KEY}:code-2}}"))), decide(Done()))
    refused, _ = lived(planner)
    assert (refused.outcome.result, refused.executed) == ("rejected", None)
    assert "no anchor @code-2; did you mean @code-1?" in refused.outcome.message


def test_without_anchors_such_text_is_typed_as_it_stands() -> None:
    for memory in (None, EpisodicMemory(anchors=False)):
        planner = ScriptedPlanner(decide(("pc", TypeText("{@code-9} {{@x}}"))), decide(Done()))
        world = ScriptedWorld(items=CODE)
        typed, _ = play(episode(world, agent(planner, memory=memory), brief(world)))[0]
        assert typed.executed == TypeText("{@code-9} {{@x}}")
        assert not planner.begun[0].anchors


def test_what_a_model_remembers_it_may_type_from_the_next_turn_on() -> None:
    note = ("remember", {"name": "Door code", "value": "47 11"})
    model = ScriptedModel(
        calls(note, ("type", {"text": "first"})),
        calls(("type", {"text": f"{{@{KEY}:door-code}}"})),
        calls(("done", {})),
    )
    steps = lived(FunctionCallingPlanner.over(model))
    assert [step.executed for step in steps] == [TypeText("first"), TypeText("47 11"), Done()]
    assert "remember" in [tool.name for tool in model.asked[0].tools]
    shown = "\n".join(str(part) for message in model.asked[1].messages for part in message.parts)
    assert '@door-code = "47 11"' in shown and '@code-1 = "4711" ("Door code"' in shown
    assert 'remembered: @door-code = "47 11"' in shown and f"{{@{KEY}:name}}" in shown


def test_a_turn_of_notes_alone_is_a_turn_without_a_step() -> None:
    model = ScriptedModel(calls(("remember", {"name": "a", "value": 7})), calls(("done", {})))
    (done,) = lived(FunctionCallingPlanner.over(model))
    assert done.turn == 1


def example(text: str) -> Recalled:
    return Recalled(text, "example", "", 0.0, -1, "similar task: save")


def test_a_chat_planner_sees_examples_in_every_turn() -> None:
    world = ScriptedWorld(("pc",), items=(element("Save", id="e1"),))
    model = ScriptedModel(calls(("noop", {})), calls(("done", {})))
    planner = FunctionCallingPlanner.over(model)
    verbs = {name: Verbs(env.platform, env.verbs, env.custom) for name, env in world.envs.items()}
    brief = Brief("Save it.", verbs, examples=(example('Earlier task (solved): "Save the file"'),))
    list(episode(world, agent(planner, ScriptedGrounder({}), ALL_MODALITIES), brief, Limits(3, 5)))
    line = 'before the task began, at 0.0 s, example (similar task: save): Earlier task (solved): "Save the file"'
    assert len(model.asked) == 2
    assert all(line in asked.words for asked in model.asked)


def test_examples_take_at_most_their_share_and_memory_gets_the_rest() -> None:
    budget = Budget(texts=5, characters=300, tokens=60)
    kept, left = fit_examples((example("far " * 40), example("near " * 6)), budget)
    assert [one.part for one in kept] == ["near " * 6]
    used = estimate_tokens("near " * 6)
    assert used <= EXAMPLES * 60 < used + estimate_tokens("far " * 40)
    assert (left.texts, left.characters, left.tokens) == (4, 270, 60 - used)
    assert fit_examples((), budget) == ((), budget)
    assert fit_examples((example("x" * 100),), replace(budget, tokens=None))[1].tokens is None
    assert fit_examples((example("x"),), replace(budget, texts=0)) == ((), replace(budget, texts=0))
