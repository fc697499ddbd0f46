"""No role of any agent system recalls what it may not see, and all that was given is in the choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from made_parts import part_of
from scripted import ScriptedGrounder, ScriptedPlanner
from scripted_team import ScriptedThinker, Staff, saying, team
from secret_screens import ENVS, observation, secret, shows, told

from omnipilot.agents import (
    AgentSpec,
    ByEnvironmentAgent,
    ByFunctionAgent,
    CriticAgent,
    PartSpec,
    SingleAgent,
    build,
)
from omnipilot.agents.assembly.build import MEMORIES as KNOWN
from omnipilot.agents.base import Agent, Choice, Proposal, Situation
from omnipilot.agents.wrappers.critic import CriticVerdict
from omnipilot.agents.wrappers.critic.agent import Critic
from omnipilot.agents.wrappers.progress.agent import SubGoal, Tracker
from omnipilot.agents.wrappers.readers.agent import Reader
from omnipilot.agents.wrappers.skills.agent import SkillAgent
from omnipilot.envs import AudioClip, Click, Modality, Noop, Observation, Point, TypeText, VideoClip, Wait
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import (
    Expectation,
    MalformedReply,
    Memory,
    Move,
    Outcome,
    Recalled,
    Role,
    Step,
    Turn,
    Usage,
    WindowMemory,
)
from omnipilot.memory.base import ANCHOR, TEXTS, TRANSCRIPT
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.memory.episodic.anchors.remembered import anchor_key
from omnipilot.memory.episodic.composed import ComposedMemory
from omnipilot.memory.episodic.policies import KeyframesMemory
from omnipilot.memory.gate import Gate, GateDecision
from omnipilot.planners import Brief, Decision, Planner, Request, Verbs

TASK = "Type the code heard on the phone into the file on the desktop, and the price"
BRIEF = Brief(TASK, {env: Verbs("desktop", frozenset({"click"})) for env in ENVS})
SKIP, WAIT = Move("", Noop()), Move("", Wait(1.0))
MEMORIES: tuple[Callable[[], Memory], ...] = (
    EpisodicMemory,
    KeyframesMemory,
    lambda: ComposedMemory(of=(EpisodicMemory(), KeyframesMemory())),
    lambda: ComposedMemory(of=(WindowMemory(2, 2, 2), EpisodicMemory(order="omnigui"))),
)
granted = st.frozensets(st.sampled_from(list(Modality)))


class Listening:
    """A critic that keeps what it is given."""

    def __init__(self) -> None:
        self.given: list[Sequence[Recalled]] = []

    def begin(self, brief: Brief) -> None:
        self.given = []

    def check(self, proposal: Proposal, situation: Situation) -> CriticVerdict:
        self.given.append(situation.extra)
        return CriticVerdict(True)

    def learn(self, turn: Turn) -> None: ...


def systems(sees: frozenset[Modality], memory: Memory) -> list[tuple[Agent, list[tuple[object, frozenset[str]]]]]:
    """Each agent system, with who is asked in it and the devices that each may see."""
    planner, thinkers = ScriptedPlanner(saying(WAIT)), [ScriptedThinker("Go on with the code.") for _ in range(2)]
    roles = Role("planner", sees), Role("grounder")
    single = SingleAgent(planner, ScriptedGrounder(), memory, *roles)
    tool, staff = Staff((saying(WAIT),)), Staff((saying(SKIP),), (saying(SKIP),), (saying(WAIT),))
    by_function = team(ByFunctionAgent, thinkers[0], tool, sees=sees, memory=memory)
    by_environment = team(ByEnvironmentAgent, thinkers[1], staff, sees=sees, memory=memory)
    every = frozenset(ENVS)
    found = []
    for agent, asked in (
        (single, lambda: [(planner, every)]),
        (by_function, lambda: [(thinkers[0], every), (tool.workers[0], frozenset())]),
        (
            by_environment,
            lambda: [
                (thinkers[1], every),
                *zip(staff.workers, (frozenset({env}) for env in (*ENVS, "")), strict=True),
            ],
        ),
    ):
        found.append((agent, asked))
    return found


def live(agent: Agent, turns: int = 4) -> list[Choice]:
    """Decide on some turns; a wait is carried out in each."""
    agent.begin(BRIEF)
    choices = []
    for index in range(turns):
        seen = {env: observation(env, index, ("code", f"price: ${100 + index}", str(index))) for env in ENVS}
        look = seen.__getitem__
        situation = Situation(index, {env: one.only(agent.modalities) for env, one in seen.items()}, look)
        choice = agent.decide(situation)
        moves = [proposal.move for proposal in choice.proposals]
        choices.append(choice)
        steps = tuple(Step(index, index, move, move.intent, Outcome("control")) for move in moves)
        agent.learn(Turn(index, situation.observations, choice.decision.thought, (), steps, Usage()))
    return choices


def check(given: Sequence[Recalled], sees: frozenset[Modality], envs: frozenset[str], now: int) -> None:
    for one in given:
        assert one.turn < now or (one.source == ANCHOR and one.turn == now)
        assert not one.env or one.env in envs
        for modality in set(Modality) - sees:
            assert not shows(one, modality)
        for env in set(ENVS) - envs:
            assert not isinstance(one.part, str) or all(secret(env, kind) not in one.part for kind in Modality)


@pytest.mark.slow
@given(sees=granted, critic=granted, which=st.sampled_from(range(3)), make=st.sampled_from(MEMORIES))
@settings(max_examples=20)
def test_no_role_recalls_what_it_may_not_see(
    sees: frozenset[Modality], critic: frozenset[Modality], which: int, make: Callable[[], Memory]
) -> None:
    memory = make()
    inner, asked = systems(sees, memory)[which]
    listening = Listening()
    wrapped = SkillAgent(inner, Role("skills", sees), memory, ScriptedGrounder(), Role("grounder"), "recall")
    choices = live(CriticAgent(wrapped, listening, Role("critic", critic), memory=memory))
    for who, envs in asked():
        for request in who.requests:
            past = [one for one in request.recalled if one.turn != request.turn]
            check(past, sees, envs, request.turn)
            if envs != frozenset(ENVS):
                assert all(one.env for one in past), "a worker is given nothing of the whole team"
                assert "heard" not in repr([one.why for one in past]), "nor words of a task that it does not know"
    for now, parts in enumerate(listening.given):
        check(parts, critic, frozenset(ENVS), now)
    for now, choice in enumerate(choices):
        for role, one in choice.recalled:
            check([one], critic if role == "critic" else sees, frozenset(ENVS), now)


Seen = dict[str, list[tuple[object, int]]]
WITNESSED: Seen = {}
"""What each part of the agent under test was shown, with the turn: observations, clips, and recalled parts."""


def witness(who: str, turn: int, *shown: object) -> None:
    WITNESSED.setdefault(who, []).extend((one, turn) for one in shown)


class Witness:
    """Any part of an agent: writes down what it is shown."""

    def begin(self, *_: object) -> None: ...

    def learn(self, turn: Turn) -> None:
        witness(type(self).__name__, turn.index + 1, *turn.observations.values())


class Planning(Witness, Planner):
    """Clicks beside everything and expects what never comes."""

    def plan(self, request: Request) -> Decision:
        witness("Planning", request.turn, *request.observations.values(), *request.recalled)
        title = Expectation("title", value="Another title", env="phone")
        button = Expectation("present", "the Save button", env="phone")
        return Decision((Move("phone", Click(Point(0.9, 0.9))),), "I click.", (), (title, button))


class Reading(Witness, Reader):
    def read(self, seen: Observation, since: float) -> list[tuple[str, str]]:
        witness("Reading", 99, seen)
        sources = (Modality.AUDIO, TRANSCRIPT), (Modality.SCREENSHOT, TEXTS)
        return [(source, secret(seen.env, kind)) for kind, source in sources if seen.has(kind)]


class Tracking(Witness, Tracker):
    def goals(self) -> tuple[tuple[SubGoal, ...], Usage]:
        return (SubGoal("type the code"),), Usage()

    def reached(self, left: object, seen: dict[str, Observation]) -> tuple[frozenset[int], Usage]:
        witness("Tracking", 99, *seen.values())
        return frozenset(), Usage()


class Gating(Witness, Gate):
    def decide(self, turn: int, clips: Sequence[AudioClip | VideoClip]) -> tuple[list[GateDecision], Usage]:
        witness("Gating", turn, *clips)
        kinds = [Modality.AUDIO if isinstance(clip, AudioClip) else Modality.VIDEO for clip in clips]
        return [
            GateDecision(clip.env, kind, turn % 2 == 0, "every other turn", clip.start, clip.end)
            for clip, kind in zip(clips, kinds, strict=True)
        ], Usage()


class Criticising(Witness, Critic):
    def check(self, proposal: Proposal, situation: Situation) -> CriticVerdict:
        witness("Criticising", situation.turn, *situation.observations.values(), *situation.extra)
        return CriticVerdict(True)


def allowed(shown: object, sees: frozenset[Modality], now: int) -> bool:
    """Whether a role may be shown it."""
    if isinstance(shown, Observation):
        return all(kind in sees or not shown.has(kind) for kind in Modality)
    if isinstance(shown, Recalled):
        return shown.turn <= now and not any(shows(shown, kind) for kind in set(Modality) - sees)
    return (Modality.AUDIO if isinstance(shown, AudioClip) else Modality.VIDEO) in sees


@given(
    planner=granted, critic=granted, whole=granted, memory=st.sampled_from(["episodic", "window", "episodic+keyframes"])
)
@settings(max_examples=20, phases=(Phase.explicit, Phase.generate))
def test_no_wrapper_sees_more_than_its_role_nor_tells_the_planner_of_it(
    planner: frozenset[Modality], critic: frozenset[Modality], whole: frozenset[Modality], memory: str
) -> None:
    WITNESSED.clear()
    spec = AgentSpec(
        planner=PartSpec(f"{__name__}:Planning"),
        memory=part_of(KNOWN, memory, {"map": True} if memory == "episodic" else {}),
        modalities=planner | critic | whole,
        planner_modalities=planner,
        critic_modalities=critic,
        critic=PartSpec(f"{__name__}:Criticising"),
        progress=PartSpec(f"{__name__}:Tracking"),
        readers=PartSpec(f"{__name__}:Reading"),
        gate=PartSpec(f"{__name__}:Gating"),
        loops=PartSpec("repeats"),
        checks=PartSpec("notice"),
        skills=PartSpec("routing"),
    )
    choices = live(build(spec))
    grants = {"Criticising": critic, **dict.fromkeys(("Planning", "Reading", "Tracking", "Gating"), planner)}
    assert {"Planning", "Reading", "Tracking", "Criticising"} <= set(WITNESSED) <= set(grants)
    for who, shown in WITNESSED.items():
        for one, now in shown:
            assert allowed(one, grants[who], now), (who, one)
    given = [(one, now) for one, now in WITNESSED["Planning"] if isinstance(one, Recalled)]
    told = {one.source for one, now in given if one.turn == now and not one.why}
    assert "advice" in told
    assert ("check" in told) == bool({Modality.ELEMENTS, Modality.CONTEXT} & planner)
    assert (TRANSCRIPT in told) == (Modality.AUDIO in planner)
    for now, choice in enumerate(choices):
        for role, one in choice.recalled:
            assert allowed(one, critic if role == "critic" else planner, now)


def test_what_was_given_is_in_the_choice_for_every_role() -> None:
    for agent, asked in systems(ALL_MODALITIES, EpisodicMemory()):
        choices = live(agent)
        given = [(role, one) for choice in choices for role, one in choice.recalled]
        shown = [one for who, _ in asked() for request in who.requests for one in request.recalled]
        assert shown and sorted(map(id, shown)) == sorted(id(one) for _, one in given)


def test_what_was_given_and_spent_is_told_of_a_reply_that_could_not_be_read() -> None:
    class Costly(EpisodicMemory):
        def drain_usage(self) -> Usage:
            return Usage(1, 7, 0)

    agent = SingleAgent(
        ScriptedPlanner(saying(WAIT), MalformedReply("no JSON", Usage(1, 10, 1))),
        ScriptedGrounder(),
        Costly(),
        Role("planner"),
        Role("grounder"),
    )
    with pytest.raises(MalformedReply) as caught:
        live(agent, 2)
    assert caught.value.usage == Usage(2, 17, 1)
    assert {role for role, _ in caught.value.recalled} == {"planner"}


def test_a_planner_that_takes_no_sound_is_told_in_words_of_what_it_is_granted() -> None:
    memory = EpisodicMemory()
    planner = ScriptedPlanner(saying(WAIT))
    agent = SingleAgent(planner, ScriptedGrounder(), memory, Role("planner", frozenset()), Role("grounder"))
    agent.granted = frozenset({Modality.AUDIO})
    agent.begin(BRIEF)
    for index in range(2):
        seen = {"phone": observation("phone", index, ())}
        agent.decide(Situation(index, seen, seen.__getitem__, extra=told("phone", index)))
        agent.learn(Turn(index, seen, "", (), (), Usage()))
    recalled = [one for one in planner.requests[1].recalled if one.turn == 0]
    assert any(one.source == "transcript" for one in recalled)
    assert all(isinstance(one.part, str) for one in recalled)
    assert not any(shows(one, kind) for one in recalled for kind in set(Modality) - {Modality.AUDIO})


def test_what_is_told_in_words_can_be_typed_by_its_name() -> None:
    said = saying(Move("phone", TypeText(f"{{@{anchor_key(BRIEF.seed, BRIEF.instruction)}:code-1}}")))
    planner = ScriptedPlanner(saying(WAIT), said)
    agent = SingleAgent(planner, ScriptedGrounder(), EpisodicMemory(), Role("planner", frozenset()), Role("grounder"))
    for granted, typed in ((frozenset({Modality.AUDIO}), "7394"), (frozenset(), None)):
        agent.granted = granted
        agent.begin(BRIEF)
        for index in range(2):
            seen = {"phone": observation("phone", index, ())}
            choice = agent.decide(Situation(index, seen, seen.__getitem__, extra=told("phone", index)))
            (proposal,) = choice.proposals
            agent.learn(Turn(index, seen, "", (), (), Usage()))
        listed = any("7394" in str(one.part) for one in planner.requests[1].recalled if one.source == ANCHOR)
        assert listed == (typed is not None)
        assert proposal.action == (TypeText(typed) if typed else None)


def test_a_critic_is_told_no_thoughts() -> None:
    memory = EpisodicMemory()
    listening = Listening()
    inner = SingleAgent(ScriptedPlanner(saying(WAIT)), ScriptedGrounder(), memory, Role("planner"), Role("grounder"))
    live(CriticAgent(inner, listening, Role("critic"), memory=memory))
    assert any(listening.given) and all(one.source != "thought" for given in listening.given for one in given)
