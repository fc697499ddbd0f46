"""What every agent system gives its planner beside memory: examples of earlier episodes."""

from __future__ import annotations

from dataclasses import replace

from scripted import ScriptedGrounder, ScriptedWorld, agent, element
from scripted_model import ScriptedModel, calls

from omnipilot.agents import Limits, episode
from omnipilot.agents.teams.base import EXAMPLES, fitting
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Budget, Recalled
from omnipilot.planners import Brief, FunctionCallingPlanner, Verbs


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
    kept, left = fitting((example("far " * 30), example("near " * 6)), budget)
    assert [one.part for one in kept] == ["near " * 6]
    assert 4 * 60 // EXAMPLES >= 30
    assert (left.texts, left.characters, left.tokens) == (4, 270, 52)
    assert fitting((), budget) == ((), budget)
    assert fitting((example("x" * 100),), replace(budget, tokens=None))[1].tokens is None
    assert fitting((example("x"),), replace(budget, texts=0)) == ((), replace(budget, texts=0))
