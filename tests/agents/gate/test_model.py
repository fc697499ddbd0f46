"""The gate between memory and planner: what each role is given, what memory keeps, what is charged and logged."""

from __future__ import annotations

import pytest
from scripted import (
    ScriptedGrounder,
    ScriptedPlanner,
    ScriptedRecorder,
    ScriptedWorld,
    WatchedMemory,
    agent,
    brief,
    decide,
    play,
)
from scripted_model import COST, ScriptedModel, says
from scripted_team import ScriptedThinker, Staff, saying, team

from omnipilot.agents import Agent, AgentSpec, ByEnvironmentAgent, Choice, PartSpec, build, episode
from omnipilot.agents.gate import ModelGate
from omnipilot.agents.wrappers.loop_detector import LoopDetector
from omnipilot.envs import Absent, AudioClip, ConfigError, Done, Modality, Noop, VideoClip, Wait
from omnipilot.memory import MalformedReply, ModelUnavailable, Move, WindowMemory
from omnipilot.memory.gate import EventsGate
from omnipilot.planners.chat.render import seen_parts

RINGS = ((2.5, 3.2),)


def played(gate, *script, rings=RINGS, **parts):
    planner = ScriptedPlanner(*script)
    one = agent(planner, ScriptedGrounder(), **parts)
    one.take_gate(gate)
    world = ScriptedWorld(rings=rings)
    choices = []
    kept = one.decide
    one.decide = lambda situation: choices.append(kept(situation)) or choices[-1]
    play(episode(world, one, brief(world, "write a letter")))
    return planner.requests, choices


def test_the_planner_is_given_what_passed_and_memory_everything() -> None:
    memory = WatchedMemory()
    requests, choices = played(
        EventsGate(hangover=0), decide(Wait(2)), decide(Wait(2)), decide(Wait(2)), decide(Done()), memory=memory
    )
    heard = [request.observations["pc"].audio for request in requests]
    assert [type(one) for one in heard] == [AudioClip, Absent, AudioClip, Absent]
    assert heard[0].seconds == 0, "what has no length is passed as it is"
    assert heard[1] == Absent("gated", "nothing that matters was heard")
    assert all(isinstance(turn.observations["pc"].audio, AudioClip) for turn in memory.learnt)
    assert [[one.sent for one in choice.gated if one.modality is Modality.AUDIO] for choice in choices] == [
        [],
        [False],
        [True],
        [False],
    ]
    assert all(isinstance(request.observations["pc"].screenshot, object) for request in requests)
    words = "\n".join(part for part in seen_parts(requests[1].observations) if isinstance(part, str))
    assert '(audio of pc was held back: "nothing that matters was heard")' in words


def test_the_gate_judges_only_what_the_planner_may_see() -> None:
    sees = frozenset({Modality.SCREENSHOT, Modality.AUDIO})
    _, choices = played(EventsGate(), decide(Wait(2)), decide(Done()), planner_sees=sees)
    assert {one.modality for choice in choices for one in choice.gated} == {Modality.AUDIO}


def test_each_agent_of_a_team_is_given_its_share_of_what_passed() -> None:
    phone, pc = (saying(Move("", Noop())),), (saying(Move("", Noop())),)
    staff = Staff(phone, pc, (saying(Move("", Wait(2))), saying(Move("", Done()))))
    one = team(ByEnvironmentAgent, ScriptedThinker("Wait.", "Done."), staff)
    one.take_gate(EventsGate())
    world = ScriptedWorld(("phone", "pc"))
    play(episode(world, one, brief(world, "write a letter")))
    shares = [worker.requests[1].observations for worker in staff.workers]
    assert [{name: seen.audio.reason for name, seen in share.items()} for share in shares] == [
        {"phone": "gated"},
        {"pc": "gated"},
        {},
    ]


def test_a_model_says_which_clips_are_sent_and_its_calls_are_charged() -> None:
    model = ScriptedModel(says({"why": "A bell rings.", "send": [1]}))
    _, choices = played(ModelGate.over(model), decide(Wait(4)), decide(Done()))
    (asked,) = model.asked
    assert "The task: write a letter" in asked.words and not asked.media
    assert ("Clip 1: video of pc" in asked.words and "Clip 2: sound of pc" in asked.words) or "Clip 2:" in asked.words
    assert [(one.sent, one.why) for one in choices[1].gated] == [(True, "A bell rings."), (False, "A bell rings.")]
    assert choices[1].decision.usage.calls == COST.calls and choices[0].decision.usage.calls == 0


def test_a_model_may_be_given_the_clips_themselves() -> None:
    model = ScriptedModel(says({"why": "", "send": []}))
    requests, _ = played(ModelGate.over(model, shown="media"), decide(Wait(4)), decide(Done()))
    assert {type(part) for part in model.asked[0].media} == {AudioClip, VideoClip}
    assert isinstance(requests[1].observations["pc"].audio, Absent)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (ModelUnavailable("overloaded"), "did not answer: overloaded"),
        (says({"why": "", "send": [3]}), "cannot be read"),
        (says("no"), "cannot be read"),
    ],
)
def test_a_model_that_fails_withholds_nothing(said, why: str) -> None:
    requests, choices = played(ModelGate.over(ScriptedModel(said)), decide(Wait(4)), decide(Done()))
    assert isinstance(requests[1].observations["pc"].audio, AudioClip)
    assert all(one.sent and why in one.why for one in choices[1].gated) and choices[1].gated


def test_an_unreadable_reply_of_the_planner_is_charged_with_the_gate_whose_decisions_are_told() -> None:
    gate = ModelGate.over(ScriptedModel(says({"why": "", "send": []})))
    one = agent(ScriptedPlanner(decide(Wait(4)), MalformedReply("what?", COST)), ScriptedGrounder())
    one.take_gate(gate)
    world = ScriptedWorld(rings=RINGS)
    recorder = Kept()
    steps, _ = play(episode(world, LoopDetector(one), brief(world), retries=0, recorder=recorder))
    assert steps[-1].outcome.result == "malformed"
    last = recorder.choices[-1]
    assert last.decision.usage.calls == 2 * COST.calls
    assert [one.sent for one in last.gated] == [False, False]


class Kept(ScriptedRecorder):
    """Keeps whole choices."""

    def __init__(self) -> None:
        super().__init__()
        self.choices: list[Choice] = []

    def decided(self, turn: int, choice: Choice, seconds: float) -> None:
        self.choices.append(choice)


def test_a_gate_is_a_part_of_the_specification_and_an_agent_without_one_is_refused() -> None:
    built = build(AgentSpec(planner=PartSpec("noop"), gate=PartSpec("events", {"hangover": 2.0})))
    assert isinstance(built.gate, EventsGate) and built.gate.hangover == 2.0
    with pytest.raises(ConfigError, match="there is no gate 'evnts'; did you mean events"):
        build(AgentSpec(planner=PartSpec("noop"), gate=PartSpec("evnts")))
    with pytest.raises(ConfigError, match="takes no gate; leave out --gate"):
        build(AgentSpec(f"{__name__}:Plain", PartSpec("noop"), gate=PartSpec("events")))
    with pytest.raises(ConfigError, match="shown is words or media"):
        ModelGate("openai/some", shown="both")


class Plain(Agent):
    """An agent of somebody else."""

    modalities = frozenset()

    def __init__(self, planner, grounder, memory: WindowMemory, planner_role, grounder_role) -> None:
        self.planner = planner

    def begin(self, brief) -> None: ...

    def decide(self, situation) -> None: ...

    def learn(self, turn) -> None: ...
