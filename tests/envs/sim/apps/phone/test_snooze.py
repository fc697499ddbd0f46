"""A snoozed alarm shows that it is, rings again, and can be called off."""

from __future__ import annotations

import pytest
from phone_goals import hold, reach
from sim_hands import Hands, hands

from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.account import Alarm
from omnipilot.envs.sim.state.events import SNOOZE_SECONDS

ID = "alarm-99"
ROW = f"clock/alarms/{ID}"


def snoozed(daily: bool) -> tuple[SimWorld, Hands]:
    """A world in which a new alarm rang, was snoozed, and stands in the list."""
    world, phone, _ = hands()
    state = world.state()
    hour, minute = state.clock(60).split(":")
    world.prepare(lambda s: s.own(s.account.put(Alarm(ID, int(hour), int(minute), "Tea", daily=daily))))
    world.wait(60 - state.start % 60 + 1)
    phone.tap("clock/ringing/snooze")
    phone.open("Clock")
    reach(phone, f"{ROW}/on")
    return world, phone


def alarm(world: SimWorld) -> Alarm:
    found = world.state().account.alarm(ID)
    assert found is not None
    return found


def told(phone: Hands) -> list[str]:
    return [element.name for element in phone.env.ui_tree() if element.name.startswith("snoozed until")]


def rings_within(world: SimWorld, seconds: float) -> bool:
    before = len(world.state().phone.sounds)
    world.wait(seconds)
    return len(world.state().phone.sounds) > before


@pytest.mark.parametrize("daily", [False, True])
def test_it_shows_that_it_is_snoozed_until_it_rings_again(daily: bool) -> None:
    world, phone = snoozed(daily)
    again = alarm(world).snoozed
    assert again is not None and "checked" in phone.find(f"{ROW}/on").states
    assert told(phone) == [f"snoozed until {world.state().clock(again)}"]
    world.wait(again - world.now)
    assert world.state().phone.ringing.alarm == ID  # type: ignore[union-attr]
    phone.tap("clock/ringing/dismiss")
    assert told(phone) == []
    assert (alarm(world).enabled, alarm(world).snoozed) == (daily, None)
    assert not rings_within(world, 2 * SNOOZE_SECONDS)


@pytest.mark.parametrize("daily", [False, True])
def test_its_switch_calls_it_off(daily: bool) -> None:
    world, phone = snoozed(daily)
    phone.tap(f"{ROW}/on")
    assert (alarm(world).enabled, alarm(world).snoozed) == (False, None)
    assert "checked" not in phone.find(f"{ROW}/on").states and told(phone) == []
    assert not rings_within(world, 2 * SNOOZE_SECONDS)


def test_deleting_it_calls_it_off() -> None:
    world, phone = snoozed(False)
    hold(phone, ROW, "delete")
    assert not rings_within(world, 2 * SNOOZE_SECONDS)


def test_setting_it_anew_calls_it_off() -> None:
    world, phone = snoozed(True)
    phone.tap(ROW, "clock/edit/hour/up", "clock/edit/save")
    assert told(phone) == [] and alarm(world).enabled
    assert not rings_within(world, 2 * SNOOZE_SECONDS)


def test_snoozed_twice_it_rings_twice_more() -> None:
    world, phone = snoozed(False)
    for _ in range(2):
        assert rings_within(world, SNOOZE_SECONDS + 5)
        phone.tap("clock/ringing/snooze")
    assert alarm(world).enabled and alarm(world).snoozed is not None
