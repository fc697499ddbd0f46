"""Calendar: what people do with it, done through its interface."""

from __future__ import annotations

from dataclasses import replace

import pytest
from phone_goals import Goal, hold, instances, pick, play
from sim_hands import Hands, hands

from omnipilot.envs.sim.apps.phone.shared_parts import today
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.phone_data import Appointment, add_days, day_of


def own(account: Account) -> Appointment:
    """An entry of the owner's whose title is a part of another's or equals it."""
    entry: Appointment = pick(account.appointments, lambda e: not e.host and sum(
        e.title in other.title for other in account.appointments) > 1)  # fmt: skip
    return entry


def invitation(account: Account) -> Appointment:
    entry: Appointment = pick(account.appointments, lambda e: bool(e.host))
    return entry


def opened(phone: Hands, entry: Appointment) -> str:
    phone.tap("home/calendar", "calendar/month/search")
    phone.type("calendar/search/text", entry.title)
    phone.tap(f"calendar/search/{entry.id}")
    return f"appointments/{entry.id}"


def add(phone: Hands, account: Account) -> list[str]:
    # On the 20th of next month, from 10:00 on.
    phone.tap("home/calendar", "calendar/month/next", "calendar/month/2026-04-20", "calendar/month/new")
    phone.type("calendar/edit/title", "Boat trip")
    phone.type("calendar/edit/place", "Harbour")
    phone.tap("calendar/edit/hour/up", "calendar/edit/calendar", "calendar/edit/calendar/family", "calendar/edit/save")
    return [f"appointments/appointment-{len(account.appointments) + 1}"]


def move(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, own(account))
    phone.tap("calendar/entry/edit", "calendar/edit/day/up", "calendar/edit/hour/down", "calendar/edit/save")
    return [id]


def lengthen(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, own(account))
    phone.tap("calendar/entry/edit", "calendar/edit/minutes/up", "calendar/edit/minutes/up", "calendar/edit/save")
    return [id]


def place(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, own(account))
    phone.tap("calendar/entry/edit")
    phone.type("calendar/edit/place", "Pier 7", clear=True)
    phone.tap("calendar/edit/save")
    return [id]


def accept(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, invitation(account))
    phone.tap("calendar/entry/accept")
    assert phone.find("calendar/entry/accept").name == "Accepted"
    return [id]


def decline(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, invitation(account))
    phone.tap("calendar/entry/decline")
    return [id]


def delete(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, own(account))
    phone.tap("calendar/entry/bin", "calendar/entry/delete/no", "calendar/entry/bin", "calendar/entry/delete/yes")
    return [id]


def hold_to_delete(phone: Hands, account: Account) -> list[str]:
    first = pick(account.appointments, lambda e: e.day[:7] == "2026-03")
    phone.tap("home/calendar", f"calendar/month/{first.day}")
    hold(phone, f"calendar/month/{first.id}", "delete")
    return [f"appointments/{first.id}"]


def minutes(entry: Appointment) -> int:
    return int(entry.at[:2]) * 60 + int(entry.at[3:])


def moved(old: Account, new: Account) -> bool:
    was = own(old)
    now: Appointment = new.find("appointments", was.id)
    return now.day == add_days(was.day, 1) and minutes(now) == minutes(was) - 60


GOALS = [
    Goal("add", add, lambda _, now: any(
        replace(e, id="") == Appointment("", "Boat trip", "2026-04-20", "10:00", 60, "Harbour", "Family")
        for e in now.account.appointments)),
    Goal("move", move, lambda old, now: moved(old.account, now.account)),
    Goal("lengthen", lengthen, lambda old, now: now.account.find("appointments", own(old.account).id).minutes
         == own(old.account).minutes + 30),
    Goal("change the place", place, lambda old, now: now.account.find("appointments", own(old.account).id).place
         == "Pier 7"),
    Goal("accept", accept, lambda old, now: now.account.find("appointments", invitation(old.account).id).answer
         == "accepted"),
    Goal("decline", decline, lambda old, now: now.account.find("appointments", invitation(old.account).id).answer
         == "declined"),
    Goal("delete", delete, lambda old, now: now.account.find("appointments", own(old.account).id) is None),
    Goal("delete in the month", hold_to_delete, lambda old, now: len(now.account.appointments)
         == len(old.account.appointments) - 1),
]  # fmt: skip


@pytest.mark.parametrize(("goal", "instance"), instances(GOALS), ids=[goal.name for goal in GOALS])
def test_goals(goal: Goal, instance: int) -> None:
    play(goal, instance)


def test_there_are_many_and_twins_are_told_apart_by_when() -> None:
    world, _, _ = hands()
    for instance in range(20):
        world.reset(instance)
        entries = world.state().account.appointments
        assert len(entries) >= 20
        assert len({(entry.title, entry.day, entry.at) for entry in entries}) == len(entries)


def test_today_is_the_day_of_the_clock_and_a_month_has_its_days() -> None:
    world, phone, _ = hands()
    state = world.state()
    phone.tap("home/calendar")
    days = [id.rpartition("/")[2] for id in phone.ids() if id.startswith("calendar/month/2026")]
    assert days == [f"2026-03-{n:02d}" for n in range(1, 32)]
    assert "selected" in phone.find(f"calendar/month/{today(state)}").states
    assert day_of(0) == "2026-03-02"
    assert day_of(-1) == "2026-03-01"
    phone.tap(*["calendar/month/next"] * 11)
    days = [id.rpartition("/")[2] for id in phone.ids() if id.startswith("calendar/month/2027")]
    assert len(days) == 28
    phone.tap("calendar/month/today")
    assert "selected" in phone.find(f"calendar/month/{today(state)}").states
