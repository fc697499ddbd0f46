"""Phone and voicemail: what people do with them, done through the interface."""

from __future__ import annotations

import pytest
from phone_goals import Goal, hold, instances, pick, play, reach
from sim_hands import Hands, hands

from omnipilot.envs import ActionRejected, System
from omnipilot.envs.sim.apps.phone.calls import CALL_SECONDS, CallArrives, caller, digits
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.phone_data import Voicemail


def twin_message(account: Account) -> Voicemail:
    """The later one of two messages of one person."""
    numbers = [message.number for message in account.voicemails]
    found: Voicemail = pick(account.voicemails[::-1], lambda message: numbers.count(message.number) > 1)
    return found


def dial(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/phone", *(f"phone/keypad/{key}" for key in "40771"), "phone/keypad/erase", "phone/keypad/2")
    phone.tap("phone/keypad/call", "phone/call/end")
    return ["calls/call-25"]


def dial_somebody(phone: Hands, account: Account) -> list[str]:
    person = account.contacts[4]
    phone.tap("home/phone", *(f"phone/keypad/{key}" for key in f"0{digits(person.phone)}"))
    assert phone.find("phone/keypad/name").name == person.name
    phone.tap("phone/keypad/call", "phone/call/end")
    return ["calls/call-25"]


def press(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/phone", "phone/keypad/9", "phone/keypad/call", "phone/call/pad")
    phone.tap("phone/call/4", "phone/call/2", "phone/call/hash", "phone/call/end")
    return ["calls/call-25"]


def call_back(phone: Hands, account: Account) -> list[str]:
    missed = max((call for call in account.calls if call.kind == "missed"), key=lambda call: call.time)
    phone.tap("home/phone", "phone/tab/recents", "phone/recents/missed", f"phone/recents/{missed.id}")
    phone.tap("phone/info/call", "phone/call/end")
    return ["calls/call-25"]


def forget_call(phone: Hands, account: Account) -> list[str]:
    call = account.calls[3]
    phone.tap("home/phone", "phone/tab/recents")
    reach(phone, f"phone/recents/{call.id}")
    hold(phone, f"phone/recents/{call.id}", "delete")
    return [f"calls/{call.id}"]


def listen(phone: Hands, account: Account) -> list[str]:
    message = twin_message(account)
    phone.tap("home/phone", "phone/tab/voicemail", f"phone/voicemail/{message.id}", "phone/message/play")
    return [] if message.heard else [f"voicemails/{message.id}"]


def keep(phone: Hands, account: Account) -> list[str]:
    message = twin_message(account)
    phone.tap("home/phone", "phone/tab/voicemail", f"phone/voicemail/{message.id}", "phone/message/keep")
    return [f"voicemails/{message.id}"]


def delete(phone: Hands, account: Account) -> list[str]:
    message = twin_message(account)
    phone.tap("home/phone", "phone/tab/voicemail", f"phone/voicemail/{message.id}", "phone/message/bin")
    phone.tap("phone/message/delete/yes")
    return [f"voicemails/{message.id}"]


GOALS = [
    Goal("dial a number", dial, lambda _, now: now.account.calls[-1].number == "40772"),
    Goal("dial somebody", dial_somebody, lambda old, now: now.account.calls[-1].number
         == old.account.contacts[4].phone and now.account.calls[-1].time > 0),
    Goal("press keys in a call", press, lambda _, now: now.account.calls[-1].keys == "42#"),
    Goal("call back", call_back, lambda old, now: now.account.calls[-1].kind == "out"
         and now.account.calls[-1].time > 0),
    Goal("forget a call", forget_call, lambda _, now: now.account.find("calls", "call-4") is None),
    Goal("listen", listen, lambda old, now: any(
        sound.name == twin_message(old.account).sound for sound in now.phone.sounds)),
    Goal("keep a message", keep, lambda old, now: now.account.find("voicemails", twin_message(old.account).id).kept),
    Goal("delete a message", delete, lambda old, now: now.account.find("voicemails", twin_message(old.account).id)
         is None),
]  # fmt: skip


@pytest.mark.parametrize(("goal", "instance"), instances(GOALS), ids=[goal.name for goal in GOALS])
def test_goals(goal: Goal, instance: int) -> None:
    play(goal, instance)


@pytest.mark.parametrize(("button", "kind"), [("answer", "in"), ("decline", "declined"), ("", "missed")])
def test_a_call_comes_in(button: str, kind: str) -> None:
    world, phone, _ = hands()
    person = world.state().account.contacts[2]
    world.prepare(lambda state: state.later(1.0, CallArrives(person.id)))
    world.wait(3.0)
    ringing = world.state().phone.ringing
    assert ringing is not None
    assert (ringing.kind, ringing.label, ringing.since) == ("call", person.name, 1.0)
    with pytest.raises(ActionRejected, match="answer or decline"):
        phone.do(System("home"))
    if button:
        phone.tap(f"phone/ringing/{button}")
        assert world.state().phone.sounds[-1].seconds < 3.0
    else:
        world.wait(CALL_SECONDS)
    state = world.state()
    assert state.phone.ringing is None
    call = state.account.calls[-1]
    assert (call.number, call.kind, call.live) == (person.phone, kind, button == "answer")
    if button == "answer":
        world.wait(5.0)
        phone.tap("phone/call/end")
        assert world.state().account.calls[-1].seconds >= 5.0


def test_stop_ends_a_message_and_the_tones_of_the_keys_are_heard() -> None:
    world, phone, _ = hands()
    message = max(world.state().account.voicemails, key=lambda message: message.seconds)
    phone.tap("home/phone", "phone/keypad/5")
    assert world.state().phone.sounds[-1].name == "dtmf:5"
    phone.tap("phone/tab/voicemail", f"phone/voicemail/{message.id}", "phone/message/play")
    world.wait(1.0)
    phone.tap("phone/message/stop")
    sound = world.state().phone.sounds[-1]
    assert sound.name == message.sound
    assert sound.start + sound.seconds <= world.now


def test_numbers_are_one_however_they_are_written() -> None:
    account = hands()[0].state().account
    person = account.contacts[0]
    assert caller(account, person.phone.replace(" ", "")) == person
    assert caller(account, "0" + person.phone.removeprefix("+44 ").replace(" ", "-")) == person
    assert caller(account, "") is None
