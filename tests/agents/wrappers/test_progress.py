"""Progress-aware stopping: a list of the agent's own, what it saves a faulty planner from, and its false alarms."""

from __future__ import annotations

import pytest
from duet_teams import LEGIBLE, FaultyPlanner, duet, run, single
from scripted import ScriptedPlanner, ScriptedWorld, agent, brief, decide, play

from omnipilot.agents import Limits, ProgressAgent, episode
from omnipilot.agents.wrappers.progress import ClauseTracker, SubGoal
from omnipilot.agents.wrappers.progress.agent import Tracker
from omnipilot.agents.wrappers.progress.clauses import clauses
from omnipilot.envs import Click, ConfigError, Done, Modality, OpenApp, Point, Press, TypeText
from omnipilot.memory import Move, Role, Usage
from omnipilot.planners import OraclePlanner

SEES = Role("progress", LEGIBLE)
DONE = Move("", Done("success"))


def upto(kind):
    """The demonstration up to the first such move, which is left out, and a claim that all is done."""

    def fault(right):
        first = next(number for number, move in enumerate(right) if kind(move))
        return [*right[:first], DONE]

    return fault


def on(env):
    return lambda move: move.env == env


def opening(app):
    return lambda move: isinstance(move.intent, OpenApp) and move.intent.app == app


EARLY = {
    "forgets the device that comes second": ("mail-code-to-message", upto(on("phone"))),
    "forgets the mail": ("no-call-while-writing", upto(on("desktop"))),
    "forgets the errands": ("voice-question-and-errands", upto(opening("Settings"))),
    "forgets to look up what it writes down": ("message-address-to-document", upto(on("desktop"))),
    "writes and does not send": ("send-message", lambda right: [*right[:-1], DONE]),
    "writes and does not save": ("write-document", lambda right: [*right[:-1], DONE]),
}


@pytest.mark.parametrize("case", EARLY)
def test_a_planner_that_stops_early_fails_alone_and_succeeds_when_it_is_told_what_is_left(case):
    task, fault = EARLY[case]
    assert not run(single(FaultyPlanner(fault)), task).success
    planner = FaultyPlanner(fault)
    watched = ProgressAgent(single(planner), ClauseTracker(), SEES)
    together = run(watched, task)
    assert together.success, watched.words()
    assert watched.held >= 1 and "not all of your sub-goals" in planner.told[0]


AFTER = {
    "sends the message again": ("send-message", lambda right: right[-2:]),
    "writes the document on": (
        "write-document",
        lambda _: [Move("desktop", TypeText(" And more.")), Move("desktop", Press(("ctrl", "s")))],
    ),
}


@pytest.mark.parametrize("case", AFTER)
def test_a_planner_that_does_not_stop_is_stopped_once_nothing_is_left(case):
    """Alone it does the last part again and again, until its limits end it."""
    task, more = AFTER[case]

    def endless(right):
        return [*right, *list(more(right)) * 20]

    limits = Limits(turns=30, actions=40)
    alone = run(single(FaultyPlanner(endless)), task, limits=limits)
    assert alone.ending.reason in ("turns", "actions") and len(alone.steps) >= 29
    watched = ProgressAgent(single(FaultyPlanner(endless)), ClauseTracker(), SEES, grace=0)
    together = run(watched, task, limits=limits)
    assert (together.ending.reason, together.ending.status, together.success) == ("done", "success", True)
    assert watched.stopped and len(together.steps) < len(alone.steps) / 2


@pytest.mark.parametrize(
    ("instance", "step"), [(0, 5), *(pytest.param(seed, 1, marks=pytest.mark.slow) for seed in (0, 1))]
)
def test_the_oracle_is_neither_held_back_nor_stopped(instance, step):
    alarms = {}
    for info in list(duet().tasks())[::step]:
        watched = ProgressAgent(single(OraclePlanner()), ClauseTracker(), SEES)
        assert run(watched, info.id, instance, Limits(turns=200, actions=200)).success
        alarms[info.id] = (watched.held, watched.stopped)
        assert watched.list
    assert len(alarms) >= 40 / step and set(alarms.values()) == {(0, False)}


def test_an_instruction_falls_into_clauses_and_quotations_are_never_cut():
    told = 'On the phone, open Messages, type "Stop. Then, open it" and press "Send", then open "A, then B" in Files.'
    found = clauses(told)
    assert [clause.text for clause in found] == [
        "On the phone, open Messages",
        'type "Stop. Then, open it" and press "Send"',
        'open "A, then B" in Files',
    ]
    assert (found[1].type, found[1].press) == (("Stop. Then, open it",), ("Send",))
    assert (found[2].meet, found[2].apps) == (("A, then B",), ("Files",))
    assert [clause.telling for clause in found] == [False, True, False]


A = Click(Point(0.2, 0.5))


class Listed(Tracker):
    """Has two sub-goals and ticks what a test says, by turn."""

    def __init__(self, *ticks, goals=("one", "two")):
        self.ticks, self.texts = ticks, goals
        self.seen = []

    def begin(self, brief):
        self.brief, self.turn = brief, 0

    def goals(self):
        return tuple(map(SubGoal, self.texts)), Usage(1, 10, 0)

    def reached(self, left, seen):
        self.seen.append(seen)
        self.turn += 1
        return frozenset(self.ticks[min(self.turn, len(self.ticks)) - 1] if self.ticks else ()), Usage(1, 1, 0)

    def learn(self, turn):
        self.learnt = turn


def drive(planner, tracker, role=SEES, world=None, told=None, limits=None, **options):
    world = world or ScriptedWorld()
    one = ProgressAgent(agent(planner), tracker, role, **options)
    return one, play(episode(world, one, told or brief(world), limits or Limits(turns=8)))


def advice(request):
    return "\n".join(str(part.part) for part in request.recalled if part.source == "advice")


def test_the_planner_is_shown_its_list_and_who_keeps_it_sees_no_more_than_its_role():
    world, planner, tracker = ScriptedWorld(("pc", "phone")), ScriptedPlanner(decide(A)), Listed([], [1])
    drive(planner, tracker, Role("progress", LEGIBLE, frozenset({"pc"})), world, brief(world), Limits(turns=2))
    assert advice(planner.requests[0]) == "Your sub-goals:\n1. [ ] one\n2. [ ] two"
    assert advice(planner.requests[1]) == "Your sub-goals:\n1. [x] one\n2. [ ] two"
    assert all(set(seen) == {"pc"} and not seen["pc"].screenshot for seen in tracker.seen)
    assert set(tracker.learnt.observations) == {"pc"}


def test_a_claim_is_held_back_as_often_as_patience_says_and_other_ends_never():
    one, (steps, ending) = drive(ScriptedPlanner(decide(Done())), Listed(), patience=2)
    assert [step.outcome.result for step in steps] == ["vetoed", "vetoed", "control"]
    assert (one.held, ending.status) == (2, "success")
    one, (steps, ending) = drive(ScriptedPlanner(decide(Done("infeasible"))), Listed())
    assert (one.held, len(steps), ending.status) == (0, 1, "infeasible")


def test_the_planner_ticks_and_adds_by_notes():
    planner = ScriptedPlanner(
        decide(A, notes=("reached 1", "a code: 17")), decide(A, notes=("goal: three", "reached #2")), decide(Done())
    )
    one, (steps, _) = drive(planner, Listed(), patience=1)
    assert one.words() == "Your sub-goals:\n1. [x] one\n2. [x] two\n3. [ ] three"
    assert steps[2].outcome.message.endswith("3. three")


def test_after_the_last_sub_goal_the_agent_has_its_grace_and_is_then_ended():
    one, (steps, ending) = drive(ScriptedPlanner(decide(A)), Listed([1, 2]), grace=2)
    assert one.stopped and [step.outcome.result for step in steps] == ["done", "done", "control"]
    assert (ending.reason, ending.status) == ("done", "success")


def test_what_keeping_the_list_costs_is_counted():
    _, (_, ending) = drive(ScriptedPlanner(decide(A)), Listed(), limits=Limits(tokens=12))
    assert ending.reason == "tokens"


def test_without_a_list_nothing_is_held_back_or_ended():
    one, (steps, _) = drive(ScriptedPlanner(decide(A), decide(Done())), Listed(goals=()))
    assert (one.held, one.stopped, len(steps)) == (0, False, 2)


def test_a_list_that_its_role_cannot_check_holds_nothing_back():
    for sees, held in ((SEES, 2), (Role("progress", frozenset({Modality.CONTEXT})), 0)):
        planner = FaultyPlanner(lambda right: [right[0], DONE], lambda *_: [DONE] * 3)
        watched = ProgressAgent(single(planner), ClauseTracker(), sees)
        assert not run(watched, "send-message").success
        assert watched.held == held and watched.list


def test_numbers_that_make_no_sense_are_refused():
    for options in ({"grace": -1}, {"patience": 0}):
        with pytest.raises(ConfigError, match="at least"):
            ProgressAgent(agent(ScriptedPlanner(decide(A))), Listed(), SEES, **options)
