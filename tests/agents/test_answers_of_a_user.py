"""What a user answers reaches who asked: in the next prompt, in the history, in memory, and in teams."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from scripted import ScriptedPlanner, ScriptedWorld, agent, brief, decide, element, play
from scripted_model import ScriptedModel, calls, says
from scripted_team import ScriptedThinker, Staff, saying, team

from omnipilot.agents import ByEnvironmentAgent, ByFunctionAgent, Limits, episode
from omnipilot.envs import AskUser, Done, Noop
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Budget, Memory, Move, Role, WindowMemory
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.planners import FunctionCallingPlanner, JsonPlanner

ANSWER = "the third one from the left"
LIMITS = Limits(turns=6)


def tell(question: str) -> str:
    assert question == "Which?"
    return ANSWER


def asked_over(model: ScriptedModel, planner: Any, memory: Memory | None = None) -> list[str]:
    """The words of each prompt of an episode in which the planner asks first, and waits three turns then."""
    world = ScriptedWorld(("pc",), items=(element("Save", id="e1"),))
    play(episode(world, agent(planner, memory=memory), brief(world), LIMITS, ask=tell))
    return [call.words for call in model.asked]


def say(kind: str, **more: str) -> dict[str, Any]:
    return {"thought": "", "actions": [{"kind": kind, **more}]}


FUNCTIONS = (calls(("ask_user", {"text": "Which?"})), *[calls(("noop", {}))] * 3, calls(("done", {})))
JSON = (says(say("ask_user", text="Which?")), *[says(say("noop"))] * 3, says(say("done")))


@pytest.mark.parametrize("history", [0, 2, None], ids=["no history", "two turns", "usual history"])
@pytest.mark.parametrize(("kind", "script"), [(FunctionCallingPlanner, FUNCTIONS), (JsonPlanner, JSON)])
def test_chat_planners_are_told_in_the_next_turn_and_remember(
    kind: Callable[..., Any], script: tuple[Any, ...], history: int | None
) -> None:
    model = ScriptedModel(*script)
    options = {} if history is None else {"history": history}
    prompts = asked_over(model, kind.over(model, **options))
    assert len(prompts) == 5 and ANSWER not in prompts[0]
    assert ANSWER in prompts[1] and ANSWER in prompts[2]


@pytest.mark.parametrize("memory", [WindowMemory, EpisodicMemory])
def test_memories_keep_the_answer(memory: Callable[[], Memory]) -> None:
    kept = memory()
    planner = ScriptedPlanner(decide(AskUser("Which?")), decide(Done()))
    world = ScriptedWorld()
    play(episode(world, agent(planner, memory=kept), brief(world), LIMITS, ask=tell))
    role = Role("planner", ALL_MODALITIES)
    found = kept.recall("Which one?", Budget(), role, ("pc",))
    assert any(ANSWER in one.part for one in found if isinstance(one.part, str))


def test_by_environment_the_head_and_root_hear_and_no_device_does() -> None:
    thinker = ScriptedThinker("Root, ask.", "Root, finish.")
    skip, done = Move("", Noop()), Move("", Done())
    staff = Staff(
        (saying(skip), saying(skip)),
        (saying(skip), saying(skip)),
        (saying(Move("", AskUser("Which?"))), saying(done)),
    )
    world = ScriptedWorld(("phone", "pc"))
    play(episode(world, team(ByEnvironmentAgent, thinker, staff), brief(world), LIMITS, ask=tell))
    phone, pc, root = (worker.requests[1] for worker in staff.workers)
    assert [told.outcome.message for told in thinker.requests[1].feedback] == [ANSWER]
    assert [told.outcome.message for told in root.feedback] == [ANSWER]
    assert ANSWER not in repr(phone) + repr(pc)
    assert ANSWER in repr(thinker.requests[1].recalled)


def test_by_function_the_head_hears_and_the_tool_agent_does_not() -> None:
    thinker = ScriptedThinker("Ask.", "Finish.")
    staff = Staff((saying(Move("", AskUser("Which?"))), saying(Move("", Done()))))
    world = ScriptedWorld()
    play(episode(world, team(ByFunctionAgent, thinker, staff), brief(world), LIMITS, ask=tell))
    assert [told.outcome.message for told in thinker.requests[1].feedback] == [ANSWER]
    assert ANSWER not in repr(staff.workers[0].requests[1])
