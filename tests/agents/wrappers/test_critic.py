"""The critic without a model: what it lets a faulty planner get away with, and that it leaves a right one alone."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from duet_teams import LEGIBLE, FaultyPlanner, Onlooker, duet, run, single
from scripted import ScriptedPlanner, ScriptedWorld, WatchedMemory, agent, brief, decide, element, play

from omnipilot.agents import CriticAgent, Limits, episode
from omnipilot.agents.wrappers.critic import CriticVerdict, RulesCritic
from omnipilot.agents.wrappers.critic.rules import CHECKS
from omnipilot.envs import Absent, Click, ConfigError, Done, Modality, Point, Press, TypeText
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Move, Role, Usage
from omnipilot.planners import OraclePlanner

SEES = Role("critic", LEGIBLE)
DONE = Move("", Done("success"))


def without(*kinds: object):
    """The demonstration without the moves that answer to one of these."""

    def fault(right):
        return [move for move in right if not any(kind(move) for kind in kinds)]

    return fault


def typing(text=""):
    return lambda move: isinstance(move.intent, TypeText) and text in move.intent.text


def clicking(id):
    return lambda move: isinstance(move.intent, Click) and getattr(move.intent.at, "id", "") == id


def instead(kind, intent):
    def fault(right):
        return [replace(move, intent=intent) if kind(move) else move for move in right]

    return fault


def until(kind):
    """The demonstration up to the first such move, which is left out, and a claim that all is done."""

    def fault(right):
        first = next(number for number, move in enumerate(right) if kind(move))
        return [*right[:first], DONE]

    return fault


def only_the_missing(right, done):
    """What was left out, and the last move: whatever else was typed stands there already."""
    return [right[done], right[-1]]


PASTE = Press(("ctrl", "v"))
CASES = {
    "claims to be done before Send": ("send-message", lambda right: [*right[:-1], DONE], "not pressed"),
    "claims to be done before Save": ("write-document", lambda right: [*right[:-1], DONE], "press 'Save'|not pressed"),
    "claims to be done after half of it": (
        "no-call-while-writing",
        until(lambda move: move.env == "desktop"),
        "neither seen|press 'Send'",
    ),
    "claims to be done before anything": ("forget-old-network", lambda _: [DONE], "nothing was done"),
    "believes the message to be typed": ("send-message", without(typing()), "not typed yet|disabled"),
    "believes the password to be typed": ("network-by-voicemail", without(typing()), "disabled"),
    "believes the subject to be typed": ("no-call-while-writing", without(typing("News")), "'News'.*not typed"),
    "pastes what was never copied": ("write-document", instead(typing(), PASTE), "clipboard"),
    "pastes a file that was not cut": ("move-file", without(clicking("files/cut")), "clipboard|disabled"),
    "types where nothing has the focus": (
        "mail-code-to-message",
        lambda right: [replace(m, intent=replace(m.intent, at=None)) if typing()(m) else m for m in right],
        "nothing has the focus|not on the screen",
    ),
    "types into a button": (
        "send-message",
        lambda right: [
            replace(m, intent=replace(m.intent, at=right[-1].intent.at)) if typing()(m) else m for m in right
        ],
        "no text field",
    ),
}


MENDED = {
    "believes the subject to be typed": only_the_missing,
    "pastes a file that was not cut": lambda right, _: right,
}


@pytest.mark.parametrize("case", CASES)
def test_a_faulty_planner_fails_alone_and_succeeds_with_the_critic(case):
    task, fault, why = CASES[case]
    mended = MENDED.get(case)
    alone = run(single(FaultyPlanner(fault)), task)
    assert not alone.success
    planner = FaultyPlanner(fault, mended)
    watched = CriticAgent(single(planner), RulesCritic(), SEES)
    together = run(watched, task)
    assert together.success, [step.outcome for step in together.steps]
    assert any(re.search(why, reason) for _, reason in watched.vetoes), watched.vetoes
    assert planner.told


@pytest.mark.parametrize(
    ("instance", "step"), [(0, 5), *(pytest.param(seed, 1, marks=pytest.mark.slow) for seed in (0, 1))]
)
def test_the_oracle_raises_no_alarm(instance, step):
    """False alarms of every check on right moves: none in all tasks of the suite that are not held back."""
    alarms, checked = [], 0
    for info in list(duet().tasks())[::step]:
        critic = Onlooker(RulesCritic())
        played = run(CriticAgent(single(OraclePlanner()), critic, SEES), info.id, instance)
        assert played.success
        alarms += [(info.id, *alarm) for alarm in critic.alarms]
        checked += critic.checked
    assert checked > 400 / step
    assert alarms == []


class Stern:
    """Objects to everything that it is told to."""

    def __init__(self, *against):
        self.against = against
        self.seen = []

    def begin(self, brief):
        self.brief = brief

    def check(self, proposal, situation):
        self.seen.append((proposal, situation))
        return CriticVerdict(proposal.move.intent not in self.against, "no", Usage(1, 5, 5))

    def learn(self, turn):
        self.learnt = turn


A, B = Click(Point(0.2, 0.5)), Click(Point(0.8, 0.5))


def watched(planner, critic, role=None, **options):
    return CriticAgent(agent(planner), critic, role or Role("critic"), **options)


def drive(world, one, told=None, **options):
    return play(episode(world, one, told or brief(world), **options))


def test_a_vetoed_move_is_not_carried_out_is_no_invalid_action_and_the_planner_hears_why():
    world, planner = ScriptedWorld(), ScriptedPlanner(decide(A), decide(B), decide(Done()))
    steps, ending = drive(world, watched(planner, Stern(A)), retries=0)
    assert [step.outcome.result for step in steps] == ["vetoed", "done", "control"]
    assert (steps[0].executed, steps[0].counts, steps[0].proposed.intent) == (None, False, A)
    assert world.envs["pc"].acted == [B] and ending.reason == "done"
    assert [told.outcome.message for told in planner.requests[1].feedback] == ["no"]


def test_nothing_of_the_turn_is_done_after_a_veto():
    world, planner = ScriptedWorld(), ScriptedPlanner(decide(B, A, B), decide(Done()))
    steps, _ = drive(world, watched(planner, Stern(A)))
    assert [step.outcome.result for step in steps] == ["done", "vetoed", "control"]
    assert [told.outcome.result for told in planner.requests[1].feedback] == ["done", "vetoed", "skipped"]


def test_what_the_agent_insists_on_is_carried_out_in_the_end():
    world = ScriptedWorld()
    one = watched(ScriptedPlanner(decide(A), decide(A), decide(A), decide(Done())), Stern(A), patience=2)
    steps, _ = drive(world, one)
    assert [step.outcome.result for step in steps] == ["vetoed", "vetoed", "done", "control"]
    assert len(one.vetoes) == 2


def test_what_the_critic_costs_is_counted():
    steps, ending = drive(ScriptedWorld(), watched(ScriptedPlanner(decide(A)), Stern()), limits=Limits(tokens=30))
    assert (ending.reason, len(steps)) == ("tokens", 3)


def test_the_critic_sees_no_more_than_its_role():
    role = Role("critic", frozenset({Modality.ELEMENTS}), frozenset({"pc"}))
    world, critic = ScriptedWorld(("pc", "phone")), Stern()
    planner = ScriptedPlanner(decide(("pc", A), ("phone", A)), decide(Done()))
    drive(world, watched(planner, critic, role))
    for proposal, situation in critic.seen:
        assert set(situation.observations) <= {"pc"}
        for seen in (*situation.observations.values(), *filter(None, [proposal.seen])):
            assert isinstance(seen.screenshot, Absent) and isinstance(seen.audio, Absent)
    assert set(critic.learnt.observations) == {"pc"}


def test_a_later_move_is_checked_on_the_screen_as_it_then_is():
    world, critic = ScriptedWorld(items=(element("x"),)), Stern()
    drive(world, watched(ScriptedPlanner(decide(A, B, Done())), critic))
    titles = [situation.observations["pc"].context.title for _, situation in critic.seen]
    assert titles == ["0 actions", "1 actions", "2 actions"]


def test_two_episodes_share_no_state():
    critic = RulesCritic()
    one = CriticAgent(
        agent(ScriptedPlanner(decide(Press(("ctrl", "c"))), decide(PASTE), decide(Done("failure")))), critic, SEES
    )
    drive(ScriptedWorld(items=(element("x"),)), one)
    assert one.vetoes == []
    late = CriticAgent(
        agent(ScriptedPlanner(decide(PASTE), decide(Done("failure"))), memory=WatchedMemory()), critic, SEES
    )
    drive(ScriptedWorld(items=(element("x"),)), late)
    assert [why for _, why in late.vetoes] and "clipboard" in late.vetoes[0][1]


def test_without_elements_it_has_nothing_to_object_to():
    one = watched(ScriptedPlanner(decide(Done())), RulesCritic(), Role("critic", ALL_MODALITIES - {Modality.ELEMENTS}))
    drive(ScriptedWorld(), one)
    assert one.vetoes == []


def test_checks_are_chosen_by_name_and_an_unknown_one_is_refused():
    assert RulesCritic("disabled, clipboard").checks == [CHECKS["disabled"], CHECKS["clipboard"]]
    with pytest.raises(ConfigError, match="no check spelling; there are focus"):
        RulesCritic(["spelling"])
    with pytest.raises(ConfigError, match="patience"):
        watched(ScriptedPlanner(decide(A)), Stern(), patience=0)
