"""The guard in the loop: what it does not let pass is not done, and whatever fails, fails closed."""

from __future__ import annotations

import sys
import threading
import time

import pytest
from scripted import ScriptedPlanner, ScriptedRecorder, ScriptedWorld, agent, brief, decide, element, play, view

from omnipilot.agents import Proposal, episode
from omnipilot.agents.guard import Approver, Guard, SecretValues, parse_policy
from omnipilot.agents.guard.approvers import CommandApprover
from omnipilot.envs import Click, ConfigError, Done, OpenApp, Point, Press, TypeText
from omnipilot.memory import Move, Origin, Turn, Usage
from omnipilot.memory.episodic.memory import EpisodicMemory

SEND, NOTES, FIELD = Point(0.5, 0.04), Point(0.5, 0.14), Point(0.5, 0.24)
ITEMS = (
    element("Send", row=0),
    element("Notes", row=1),
    element("To", "textbox", row=2, states=frozenset({"focused"})),
)
ASKS = """
default = "allow"
seconds = 0.3
[[rule]]
name = "sends"
do = "ask"
why = "it leaves the device"
text = ["send"]
"""


class Recorder(ScriptedRecorder):
    def __init__(self):
        super().__init__()
        self.rulings = []

    def guarded(self, turn, step, move, ruling):
        self.rulings.append((turn, step, ruling))


class Says(Approver):
    def __init__(self, answer):
        self.answer, self.asked = answer, []

    def approve(self, request, seconds):
        self.asked.append(request)
        return self.answer() if callable(self.answer) else self.answer


def guard(text=ASKS, approver=None, secrets=None):
    return Guard(parse_policy(text, "test"), approver, secrets)


def run(guard, *moves, world=None):
    world = world or ScriptedWorld(items=ITEMS)
    recorder = Recorder()
    planner = ScriptedPlanner(*(decide(move) for move in moves), decide(Done()))
    steps, _ = play(episode(world, agent(planner), brief(world), recorder=recorder, guard=guard))
    return world.envs["pc"].acted, steps, recorder.rulings, planner


def test_a_move_that_no_rule_speaks_of_is_carried_out_and_its_ruling_told():
    acted, _, rulings, _ = run(guard(), Click(NOTES))
    assert acted == [Click(NOTES)]
    assert [(ruling.said, ruling.passed) for _, _, ruling in rulings] == [("allow", True)] * 2
    assert rulings[0][2].facts["text"] == ["Notes"]


def test_a_refused_move_is_denied_and_the_agent_is_told_why():
    acted, steps, _, planner = run(guard(), Click(SEND))
    assert acted == []
    assert steps[0].outcome.result == "denied" and steps[0].executed is None
    told = planner.requests[1].feedback[0].outcome.message
    assert "guard refused" in told and "leaves the device" in told


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ((Click(SEND), Click(SEND)), "denied"),
        ((OpenApp("Maps"), Click(SEND)), "denied"),
        ((Click(SEND), OpenApp("Maps")), "invalid"),
        ((Click(SEND), Click(NOTES), Click(SEND)), "done"),
    ],
)
def test_an_episode_that_ends_by_a_refusal_says_so_and_not_that_the_move_was_invalid(moves, reason):
    world = ScriptedWorld(items=ITEMS)
    planner = ScriptedPlanner(*(decide(move) for move in moves), decide(Done()))
    _, ending = play(episode(world, agent(planner), brief(world), retries=1, guard=guard()))
    assert ending.reason == reason


def test_an_approver_who_says_yes_lets_it_pass():
    approver = Says(True)
    assert run(guard(approver=approver), Click(SEND))[0] == [Click(SEND)]
    assert approver.asked[0].facts["text"] == ["Send"]


def _raise(error):
    raise error


def _stay_silent():
    threading.Event().wait(5)
    return True


@pytest.mark.parametrize(
    "approver",
    [
        None,
        Says(False),
        Says("yes"),
        Says(1),
        Says(lambda: _raise(RuntimeError("x"))),
        Says(lambda: _raise(SystemExit(0))),
        Says(_stay_silent),
        CommandApprover(line=f"{sys.executable} -c 'import os; print(\"yes\", flush=True); os.kill(os.getpid(), 9)'"),
        CommandApprover(line=f"{sys.executable} -c 'import time; time.sleep(9)'"),
        CommandApprover(line="/no/such/program"),
    ],
)
def test_no_approver_a_crash_a_time_out_and_silence_carry_out_nothing(approver):
    acted, steps, _, _ = run(guard(approver=approver), Click(SEND))
    assert acted == [] and steps[0].outcome.refused


def test_a_program_may_approve():
    line = f'{sys.executable} -c \'import json, sys; print("yes" if json.load(sys.stdin)["env"] == "pc" else "")\''
    text = ASKS.replace("0.3", "20.0")
    assert run(guard(text, CommandApprover(line=line)), Click(SEND))[0] == [Click(SEND)]


def test_an_approval_is_of_the_screen_that_was_asked_about():
    world = ScriptedWorld(items=ITEMS)

    def change():
        world.envs["pc"].items = (element("Send to all"), *ITEMS[1:])
        return True

    acted, steps, _, _ = run(guard(approver=Says(change)), Click(SEND), world=world)
    assert acted == [] and "screen changed" in steps[0].outcome.message


def test_a_guard_that_fails_lets_nothing_pass(monkeypatch):
    broken = guard()
    monkeypatch.setattr(broken, "_facts", lambda *_: _raise(ZeroDivisionError("x")))
    acted, steps, _, _ = run(broken, Click(NOTES))
    assert acted == [] and "ZeroDivisionError" in steps[0].outcome.message


def test_without_elements_a_rule_about_text_holds_for_every_press():
    acted, _, _, _ = run(guard(), Click(NOTES), world=ScriptedWorld(items=()))
    assert acted == []


def test_enter_presses_what_is_on_the_screen():
    acted, _, _, _ = run(guard(), TypeText("hello", FIELD), Press(("enter",)), TypeText("hello", FIELD, submit=True))
    assert acted == [TypeText("hello", FIELD)]


def test_a_budget_of_moves_ends():
    text = 'default = "allow"\n[budget]\nmoves = 1'
    acted, steps, _, _ = run(guard(text), Click(NOTES), Click(SEND))
    assert acted == [Click(NOTES)] and "budget of 1 moves" in steps[1].outcome.message


def test_a_secret_is_typed_and_shown_to_nobody():
    world = ScriptedWorld(items=ITEMS)
    env = world.envs["pc"]
    env.on_act = lambda env, action: setattr(
        env, "items", (*ITEMS[:2], element("To", "textbox", row=2, value=f"x{action.text}x"))
    )
    secrets = SecretValues({"bank": "hunter2hunter2"})
    acted, steps, _, planner = run(guard(secrets=secrets), TypeText("{secret:bank}", FIELD), world=world)
    assert acted == [TypeText("hunter2hunter2", FIELD)]
    assert steps[0].executed == TypeText("{secret:bank}", FIELD)
    assert planner.requests[1].observations["pc"].elements.items[2].value == "x{secret:bank}x"
    assert "hunter2" not in repr([(one.observations, one.feedback) for one in planner.requests])


@pytest.mark.parametrize("move", [TypeText("{secret:no}", FIELD), Press(("a",))])
def test_an_unknown_secret_is_refused(move):
    acted, steps, _, _ = run(guard(secrets=SecretValues({"bank": "hunter2hunter2"})), move)
    unknown = isinstance(move, TypeText)
    assert (acted == []) == unknown
    assert ("there is no secret 'no'; known: bank" in steps[0].outcome.message) == unknown


def test_hands_are_free_at_the_start_of_each_episode():
    one = guard('default = "allow"\n[budget]\nmoves = 1')
    for _ in range(2):
        assert run(one, Click(NOTES))[0] == [Click(NOTES)]


def test_nobody_waits_longer_than_the_policy_says():
    began = time.monotonic()
    run(guard(approver=Says(_stay_silent)), Click(SEND))
    assert time.monotonic() - began < 4


CROSSES = """
default = "allow"
seconds = 0.3
[[rule]]
name = "foreign"
do = "ask"
roles = ["password"]
origins = ["elsewhere"]
"""
LOGIN = (
    element("Sign in", "heading", row=0),
    element("Code", "textbox", row=1, states=frozenset({"focused", "password"})),
    element("Note", "textbox", row=2),
)


SHOWN = (Origin("4821-77", "screen", "phone"),)


def crossing(typed, *, env="pc", known=SHOWN, row=1, action=None):
    """The ruling on what is entered, by a guard whose approver does not answer."""
    world = ScriptedWorld(items=LOGIN)
    action = action or TypeText(typed, Point(0.5, 0.04 + 0.1 * row))
    proposal = Proposal(Move(env, action), action)
    return guard(CROSSES).rule_on(world, proposal, {}, lambda: known)


@pytest.mark.parametrize(
    "typed", ["4821-77", "482177", "my code is 4821 77.", "4\u200b821-77", "\uff14\uff18\uff12\uff11\uff0d77"]
)
def test_what_another_device_showed_is_no_secret_of_this_one_without_a_word(typed):
    ruling = crossing(typed)
    assert not ruling.passed and ruling.rule == "foreign" and "elsewhere" in str(ruling.facts["origins"])


def test_keys_and_the_clipboard_carry_words_across_as_well():
    world, asks = ScriptedWorld(items=LOGIN), guard(CROSSES)
    known = [Origin("abcde", "speech", "phone")]

    def rule(key):
        action = Press((key,))
        ruling = asks.rule_on(world, Proposal(Move("pc", action), action), {}, lambda: known)
        if ruling.passed:
            asks.carried_out("pc", action)
        return ruling

    assert not rule("a").passed, "from its first letter on"
    assert rule("x").passed, "nothing that was met begins so"
    assert [rule(key).passed for key in "abcd"] == [False, True, True, True]
    assert not crossing("", action=Press(("ctrl", "v"))).passed, "nobody knows what is on the clipboard"


@pytest.mark.parametrize(
    ("why", "given"),
    [
        ("it came from this device", {"known": [Origin("4821-77", "screen", "pc")]}),
        ("it is the agent's own note", {"known": [Origin("4821-77", "note", "")]}),
        ("nobody showed it", {"known": [Origin("9999", "screen", "phone")]}),
        ("the field is no secret one", {"row": 2}),
    ],
)
def test_other_words_pass(why, given):
    assert crossing("4821-77", **given).passed, why


def test_where_nobody_keeps_where_words_come_from_secret_fields_are_asked_about():
    assert not crossing("anything", known=None).passed
    assert crossing("anything", known=None, row=2).passed


def test_the_memory_of_an_agent_tells_where_words_were_shown():
    memory = EpisodicMemory()
    memory.clear()
    seen = view("phone", [element("Your code is 7394-22", "text")])
    memory.watch(0, {"phone": seen})
    memory.record(Turn(0, {"phone": seen}, "", ("@own = 7394-22",), (), Usage()))
    found = {(one.value, one.source, one.env) for one in memory.origins()}
    assert ("7394-22", "screen", "phone") in found and ("7394-22", "note", "") in found


def test_an_unknown_origin_is_refused():
    with pytest.raises(ConfigError, match="no origin 'mars'; there are screen, app, web, mail, file"):
        parse_policy('default = "allow"\n[[rule]]\ndo = "ask"\norigins = ["mars"]', "test")
