"""Teacher forcing: what an agent proposes is noted, what was recorded happens, and nobody is told the wrong thing."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from omnipilot.agents import Ending, Limits, SingleAgent
from omnipilot.agents.teacher_forcing import teacher_forced_episode
from omnipilot.envs import (
    Absent,
    Action,
    Answer,
    Capability,
    Click,
    Done,
    Image,
    Intent,
    Modality,
    Observation,
    Point,
    Size,
    System,
    TypeText,
)
from omnipilot.envs.recorded import Prediction, RecordedStep, Recording, ReplayWorld
from omnipilot.envs.recorded.replay import ReplayState
from omnipilot.grounders import ElementsGrounder
from omnipilot.memory import Budget, MalformedReply, Move, Role, Step, WindowMemory
from omnipilot.planners import Brief, Decision, Planner, Request, Verbs

SIZE = Size(40, 80)
TAP, BACK, END = Click(Point(0.25, 0.5)), System("back"), Done("success")


def look(shade: int) -> Any:
    def seen(env: str, time: float, modalities: Collection[Modality]) -> Observation:
        picture = Image.raw(SIZE, bytes([shade]) * (SIZE.pixels * 3), env, time)
        return Observation(env, time, SIZE, picture if Modality.SCREENSHOT in modalities else Absent("unasked"))

    return seen


def world(*actions: Action, script: bool = False, words: tuple[str, ...] = ()) -> ReplayWorld:
    told = words or ("",) * len(actions)
    steps = tuple(RecordedStep(look(n), (action,), told[n]) for n, action in enumerate(actions))
    if script:
        steps = (RecordedStep(look(0), actions),)
    made = ReplayWorld()
    made.load(Recording("phone", SIZE, frozenset({"click", "system", "type"}), steps, "phone", script))
    return made


class Says(Planner):
    """A planner that says one thing a turn, and keeps what it was given."""

    def __init__(self, *said: Any) -> None:
        self.said = said
        self.asked: list[Request] = []

    def begin(self, brief: Brief) -> None:
        self.asked = []

    def plan(self, request: Request) -> Decision:
        said = self.said[len(self.asked)]
        self.asked.append(request)
        if isinstance(said, str):
            raise MalformedReply(said)
        moves = said if isinstance(said, list) else [said]
        return Decision(tuple(Move("" if isinstance(one, Done | Answer) else "phone", one) for one in moves))


def agent_of(planner: Says, memory: WindowMemory) -> SingleAgent:
    return SingleAgent(planner, ElementsGrounder(), memory, Role("planner"), Role("grounder"))


def played(
    made: ReplayWorld, *said: Any, limits: Limits | None = None
) -> tuple[list[Step], Ending, Says, WindowMemory]:
    planner, memory = Says(*said), WindowMemory(turns=9)
    agent = agent_of(planner, memory)
    verbs = {"phone": Verbs("phone", frozenset({"click", "system", "type"}))}
    steps = teacher_forced_episode(made, agent, Brief("do it", verbs), limits)
    found = []
    while True:
        try:
            found.append(next(steps))
        except StopIteration as stop:
            return found, stop.value, planner, memory


def predictions(made: ReplayWorld) -> tuple[Prediction, ...]:
    return made.state().predictions


def test_the_recording_goes_on_whatever_is_proposed() -> None:
    made = world(TAP, BACK, END)
    wrong: list[Intent] = [Click(Point(0.9, 0.9)), END, BACK]
    steps, ending, _, _ = played(made, *wrong)
    assert [step.executed for step in steps] == [TAP, BACK, END]
    assert [step.predicted for step in steps] == wrong
    assert [one.actions for one in predictions(made)] == [(action,) for action in wrong]
    assert {step.outcome.result for step in steps} == {"forced"}
    assert ending == Ending("world", detail="the recording is over")


def test_each_moment_shows_what_was_seen_then() -> None:
    made = world(TAP, BACK)
    _, _, planner, _ = played(made, TAP, BACK)
    shades = [request.observations["phone"].screenshot for request in planner.asked]
    assert [isinstance(shade, Image) and shade.rgb[0] for shade in shades] == [0, 1]
    assert [request.observations["phone"].time for request in planner.asked] == [1.0, 2.0]


def test_an_agent_remembers_and_is_told_what_was_done_in_the_words_of_the_recording() -> None:
    made = world(TAP, BACK, END, words=("tap the bell", "", ""))
    _, _, planner, memory = played(made, Click(Point(0.9, 0.9)), "no JSON here", END)
    first, second = planner.asked[1].feedback, planner.asked[2].feedback
    assert [(told.outcome.result, told.outcome.message) for told in first] == [("forced", "tap the bell")]
    assert [told.outcome.result for told in second] == ["malformed", "forced"]
    assert second[1].move == Move("phone", BACK)
    recalled = memory.recall("", Budget(), Role("planner"), ("phone",))
    words = [str(part.part) for part in recalled if part.source == "action"]
    assert words == [
        "click at=(0.250, 0.500) on phone: done",
        'system name="back": done',
        "done: done",
    ]


def test_what_cannot_be_carried_out_is_an_empty_prediction_with_its_reason_and_ends_nothing() -> None:
    made = world(TAP, TAP, TAP, TAP)
    steps, _, _, _ = played(made, "gibberish", Click("the bell"), [], TAP)
    found = predictions(made)
    assert [bool(one.actions) for one in found] == [False, False, False, True]
    assert found[0].problem == "gibberish" and found[1].problem and found[2].problem == "nothing was proposed"
    assert [step.outcome.result for step in steps] == ["malformed", "not_found", "skipped", "forced"]
    assert all(step.executed == TAP for step in steps)


def test_one_move_of_a_decision_counts_or_all_of_a_script() -> None:
    one = world(TAP)
    assert len(played(one, [BACK, TAP])[0]) == 1
    assert predictions(one)[0].actions == (BACK,)
    script = world(TAP, BACK, END, script=True)
    steps, _, _, _ = played(script, [TypeText("hello"), BACK])
    assert predictions(script)[0].actions == (TypeText("hello"), BACK)
    assert [step.executed for step in steps] == [TAP, BACK]


def test_limits_on_turns_and_actions_are_the_recordings() -> None:
    steps, ending, _, _ = played(world(TAP, TAP, TAP), TAP, TAP, TAP, limits=Limits(turns=1, actions=1))
    assert len(steps) == 3 and ending.reason == "world"


@pytest.mark.exhibit("duet", "rules")
def test_a_replay_world_is_recorded_and_a_live_one_is_not() -> None:
    from omnipilot.envs.sim import SimWorld

    assert Capability.RECORDED in world(TAP).capabilities
    assert Capability.RECORDED not in SimWorld().capabilities
    with pytest.raises(TypeError, match="no recorded world"):
        next(teacher_forced_episode(SimWorld(), agent_of(Says(), WindowMemory()), Brief("x", {})))


def test_a_world_begins_anew() -> None:
    made = world(TAP, BACK)
    played(made, TAP, BACK)
    made.reset(0)
    assert made.state() == ReplayState() and made.ended() == "" and made.now == 1.0


def test_a_recording_needs_a_step(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one step"):
        Recording("phone", SIZE, frozenset(), ())
