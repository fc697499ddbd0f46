"""Clock's alarms: what people do with them, done through its interface."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from phone_goals import Goal, hold, miss, pick, play, reach
from sim_hands import Hands, hands

from omnipilot.envs import Swipe, System
from omnipilot.envs.sim.state.account import Account, Alarm
from omnipilot.envs.sim.state.events import SNOOZE_SECONDS, AlarmRings, due, toggle_alarm
from omnipilot.envs.sim.state.world_state import WorldState

NEW = "alarm-23"


def is_off(account: Account) -> Alarm:
    alarm: Alarm = pick(account.alarms, lambda alarm: not alarm.enabled)
    return alarm


def is_on(account: Account) -> Alarm:
    alarm: Alarm = pick(account.alarms, lambda alarm: alarm.enabled)
    return alarm


def once(account: Account) -> Alarm:
    alarm: Alarm = pick(account.alarms, lambda alarm: not alarm.daily)
    return alarm


def turn(phone: Hands, wheel: str, by: int) -> None:
    phone.tap(*[f"clock/edit/{wheel}/{'up' if by > 0 else 'down'}"] * abs(by))


def turn_to(phone: Hands, hour: int, minute: int) -> None:
    """Turn the wheels of a new alarm, which stands at 07:00."""
    turn(phone, "hour", hour - 7)
    turn(phone, "ten-minutes", minute // 10)
    turn(phone, "minute", minute % 10)


def opened(phone: Hands, alarm: Alarm) -> list[str]:
    phone.tap("home/clock")
    reach(phone, f"clock/alarms/{alarm.id}")
    phone.tap(f"clock/alarms/{alarm.id}")
    return [f"alarms/{alarm.id}"]


def add(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/clock", "clock/alarms/new")
    turn(phone, "hour", -1)
    turn(phone, "ten-minutes", -1)
    phone.type("clock/edit/label", "Ferry")
    phone.tap("clock/edit/save")
    return [f"alarms/{NEW}"]


def add_without_the_hour(phone: Hands, account: Account) -> None:
    # The minutes' wheel goes round by itself: 07:00 becomes 07:50, not 06:50.
    phone.tap("home/clock", "clock/alarms/new")
    turn(phone, "ten-minutes", -1)
    phone.type("clock/edit/label", "Ferry")
    phone.tap("clock/edit/save")


def flip(phone: Hands, alarm: Alarm) -> list[str]:
    phone.tap("home/clock")
    reach(phone, f"clock/alarms/{alarm.id}/on")
    phone.tap(f"clock/alarms/{alarm.id}/on")
    return [f"alarms/{alarm.id}"]


def tablets(account: Account) -> tuple[Alarm, Alarm]:
    """The earlier and the later one of two alarms with one label."""
    one, other = sorted((alarm for alarm in account.alarms if alarm.label == "Tablets"), key=lambda alarm: alarm.at)
    return one, other


def relabel(phone: Hands, account: Account) -> list[str]:
    ids = opened(phone, once(account))
    phone.type("clock/edit/label", "Ear drops", clear=True)
    phone.tap("clock/edit/save")
    return ids


def relabel_unsaved(phone: Hands, account: Account) -> None:
    opened(phone, once(account))
    phone.type("clock/edit/label", "Ear drops", clear=True)
    phone.do(System("back"))


def each_day(phone: Hands, account: Account) -> list[str]:
    ids = opened(phone, once(account))
    phone.tap("clock/edit/daily", "clock/edit/save")
    return ids


def later(phone: Hands, account: Account) -> list[str]:
    """The wheels carry nothing: half an hour after a quarter to needs the hour's wheel too."""
    ids = opened(phone, once(account))
    if once(account).minute >= 30:
        turn(phone, "hour", 1)
    turn(phone, "ten-minutes", 3)
    phone.tap("clock/edit/save")
    return ids


def an_hour_later(phone: Hands, account: Account) -> None:
    opened(phone, once(account))
    turn(phone, "hour", 1)
    phone.tap("clock/edit/save")


def delete(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/clock")
    reach(phone, f"clock/alarms/{is_on(account).id}")
    hold(phone, f"clock/alarms/{is_on(account).id}", "delete")
    return [f"alarms/{is_on(account).id}"]


def delete_inside(phone: Hands, account: Account) -> list[str]:
    ids = opened(phone, is_off(account))
    phone.tap("clock/edit/delete")
    return ids


def ring(phone: Hands) -> list[str]:
    """Set an alarm for some minutes ahead and wait until it rings."""
    phone.tap("home/clock", "clock/alarms/new")
    soon = phone.world.state().clock(phone.world.now + 180)
    turn_to(phone, int(soon[:2]), int(soon[3:]))
    phone.tap("clock/edit/save")
    while phone.world.state().phone.ringing is None:
        assert phone.world.now < 400, "it never rang"
        phone.world.wait(1)
    return [f"alarms/{NEW}"]


def dismiss(phone: Hands, account: Account) -> list[str]:
    ids = ring(phone)
    phone.tap("clock/ringing/dismiss")
    return ids


def snooze(phone: Hands, account: Account) -> list[str]:
    ids = ring(phone)
    phone.tap("clock/ringing/snooze")
    return ids


def is_silent(state: WorldState) -> bool:
    """The new alarm is there, has rung and will not ring again."""
    alarm = state.account.alarm(NEW)
    return alarm is not None and not alarm.enabled and state.phone.ringing is None and not comes_back(state)


def comes_back(state: WorldState) -> bool:
    return AlarmRings(NEW) in [event.effect for event in due(state) if event.at <= state.time + SNOOZE_SECONDS]


def half_an_hour(old: Account, new: Account) -> bool:
    was, now = once(old), new.alarm(once(old).id)
    return now is not None and (now.hour * 60 + now.minute - was.hour * 60 - was.minute) % 1440 == 30


ADD = Goal(
    "add", add, lambda _, now: any(replace(alarm, id="") == Alarm("", 6, 50, "Ferry") for alarm in now.account.alarms)
)
ON = Goal(
    "switch on",
    lambda phone, account: flip(phone, is_off(account)),
    lambda old, now: now.account.alarm(is_off(old.account).id) == replace(is_off(old.account), enabled=True),
)
OFF = Goal(
    "switch off",
    lambda phone, account: flip(phone, is_on(account)),
    lambda old, now: now.account.alarm(is_on(old.account).id) == replace(is_on(old.account), enabled=False),
)
LABEL = Goal(
    "another label",
    relabel,
    lambda old, now: (
        now.account.alarm(once(old.account).id) == replace(once(old.account), label="Ear drops", enabled=True)
    ),
)
DAILY = Goal(
    "every day",
    each_day,
    lambda old, now: now.account.alarm(once(old.account).id) == replace(once(old.account), daily=True, enabled=True),
)
LATER_TWIN = Goal(
    "the later one of two",
    lambda phone, account: flip(phone, tablets(account)[1]),
    lambda old, now: now.account.alarm(tablets(old.account)[1].id) == toggle_alarm(tablets(old.account)[1]),
)
LATER = Goal("half an hour later", later, lambda old, now: half_an_hour(old.account, now.account))
DELETE = Goal("delete", delete, lambda old, now: now.account.alarm(is_on(old.account).id) is None)
INSIDE = Goal("delete inside", delete_inside, lambda old, now: now.account.alarm(is_off(old.account).id) is None)
DISMISS = Goal("dismiss", dismiss, lambda _, now: is_silent(now))
SNOOZE = Goal("snooze", snooze, lambda old, now: now.phone.ringing is None and comes_back(now))
GOALS = [ADD, ON, OFF, LABEL, DAILY, LATER_TWIN, LATER, DELETE, INSIDE, DISMISS, SNOOZE]

WRONG: list[tuple[Goal, Callable[[Hands, Account], object]]] = [
    (ADD, add_without_the_hour),
    (ON, lambda phone, account: flip(phone, is_on(account))),
    (OFF, lambda phone, account: delete(phone, account)),
    (LABEL, relabel_unsaved),
    (DAILY, lambda phone, account: flip(phone, once(account))),
    (LATER_TWIN, lambda phone, account: flip(phone, tablets(account)[0])),
    (LATER, an_hour_later),
    (DELETE, lambda phone, account: flip(phone, is_on(account))),
    (DISMISS, snooze),
    (SNOOZE, dismiss),
]


@pytest.mark.parametrize("instance", [3, 8])
@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.name)
def test_goals(goal: Goal, instance: int) -> None:
    play(goal, instance)


@pytest.mark.parametrize("instance", [3, 8])
@pytest.mark.parametrize(("goal", "wrong"), WRONG, ids=[goal.name for goal, _ in WRONG])
def test_what_comes_near_does_not_count(goal: Goal, wrong: Callable[[Hands, Account], object], instance: int) -> None:
    miss(goal, wrong, instance)


def test_a_snoozed_alarm_rings_again_and_is_heard() -> None:
    world, phone, _ = hands()
    snooze(phone, world.state().account)
    stopped = world.now
    world.wait(290)
    assert world.state().phone.ringing is None
    assert phone.look(stopped + 1).audio.loudness() == 0  # type: ignore[union-attr]
    world.wait(15)
    ringing = world.state().phone.ringing
    assert ringing is not None and ringing.alarm == NEW
    assert phone.look(ringing.since).audio.loudness() > 0.01  # type: ignore[union-attr]


def test_alarms_are_listed_by_their_time() -> None:
    world, phone, _ = hands()
    phone.tap("home/clock")
    shown = [id.split("/")[2] for id in phone.ids() if id.startswith("clock/alarms/alarm") and id.count("/") == 2]
    order = sorted(world.state().account.alarms, key=lambda alarm: alarm.at)
    assert len(shown) >= 4
    assert shown == [alarm.id for alarm in order][: len(shown)]


def test_there_are_more_than_a_screen_shows_in_the_order_of_their_times() -> None:
    world, phone, _ = hands()
    account = world.state().account
    assert len(account.alarms) >= 20
    phone.tap("home/clock")
    seen: list[str] = []
    while True:
        shown = [id.split("/")[2] for id in phone.ids() if id.startswith("clock/alarms/alarm") and id.count("/") == 2]
        assert "clock/alarms/new" in phone.ids()
        if set(shown) <= set(seen):
            break
        seen += [id for id in shown if id not in seen]
        phone.do(Swipe("up"))
    times = [account.alarm(id).at for id in seen]  # type: ignore[union-attr]
    assert times == sorted(times) and len(seen) == len(account.alarms)


def test_the_last_switch_can_be_reached_beside_the_plus() -> None:
    world, phone, _ = hands()
    last = max(world.state().account.alarms, key=lambda alarm: alarm.at)
    flip(phone, last)
    assert world.state().account.alarm(last.id) == toggle_alarm(last)
