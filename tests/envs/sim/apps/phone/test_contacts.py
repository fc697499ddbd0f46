"""Contacts: what people do with it, done through its interface."""

from __future__ import annotations

import pytest
from phone_goals import Goal, instances, pick, play, reach
from sim_hands import Hands, hands

from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.events import MessageArrives


def near(account: Account) -> str:
    """A contact whose name is almost another's."""
    names = sorted(person.name for person in account.contacts)
    for one, other in zip(names, names[1:], strict=False):
        if one[:3] == other[:3]:
            return account.contact(one).id  # type: ignore[union-attr]
    raise AssertionError("nobody is like somebody else")


def opened(phone: Hands, account: Account) -> str:
    id = near(account)
    phone.tap("home/contacts")
    phone.type("contacts/list/search", account.find("contacts", id).name)
    phone.tap(f"contacts/list/{id}")
    return id


def add(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/contacts", "contacts/list/new")
    phone.type("contacts/edit/name", "Wanda Quist")
    phone.type("contacts/edit/phone", "+44 7000 123456")
    phone.tap("contacts/edit/save")
    return ["contacts/wanda-quist"]


def renumber(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, account)
    phone.tap("contacts/person/edit")
    phone.type("contacts/edit/phone", "+44 7000 654321", clear=True)
    phone.tap("contacts/edit/save")
    return [f"contacts/{id}"]


def readdress(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, account)
    phone.tap("contacts/person/edit")
    phone.type("contacts/edit/email", "new@linden.example", clear=True)
    phone.tap("contacts/edit/save")
    return [f"contacts/{id}"]


def favour(phone: Hands, account: Account) -> list[str]:
    id = pick(account.contacts, lambda person: not person.favourite).id
    phone.tap("home/contacts")
    reach(phone, f"contacts/list/{id}")
    phone.tap(f"contacts/list/{id}", "contacts/person/favourite", "contacts/person/back")
    phone.tap("contacts/list/favourites")
    assert f"contacts/list/{id}" in phone.ids()
    return [f"contacts/{id}"]


def block(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, account)
    phone.tap("contacts/person/blocked")
    return [f"contacts/{id}"]


def delete(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, account)
    phone.tap("contacts/person/remove", "contacts/person/delete/no", "contacts/person/remove")
    phone.tap("contacts/person/delete/yes")
    return [f"contacts/{id}"]


def call(phone: Hands, account: Account) -> list[str]:
    opened(phone, account)
    phone.tap("contacts/person/call", "phone/call/end")
    return ["calls/call-25"]


def text(phone: Hands, account: Account) -> list[str]:
    id = opened(phone, account)
    phone.tap("contacts/person/text")
    phone.type(f"messages/thread/{id}/text", "Hello", submit=True)
    return [f"threads/{id}"]


GOALS = [
    Goal("add", add, lambda _, now: now.account.contact("Wanda Quist") is not None),
    Goal("change a number", renumber, lambda _, now: bool(now.account.contact("+44 7000 654321"))),
    Goal("change an address", readdress, lambda _, now: bool(now.account.contact("new@linden.example"))),
    Goal(
        "favourite",
        favour,
        lambda old, now: sum(p.favourite for p in now.account.contacts)
        == sum(p.favourite for p in old.account.contacts) + 1,
    ),
    Goal("block", block, lambda old, now: now.account.find("contacts", near(old.account)).blocked),
    Goal("delete", delete, lambda old, now: now.account.find("contacts", near(old.account)) is None),
    Goal("call", call, lambda old, now: now.account.calls[-1].seconds > 0 and now.account.calls[-1].kind == "out"
         and now.account.calls[-1].time > 0),
    Goal("message", text, lambda old, now: now.account.thread(near(old.account)).sent[-1:] == ("Hello",)),
]  # fmt: skip


@pytest.mark.parametrize(("goal", "instance"), instances(GOALS), ids=[goal.name for goal in GOALS])
def test_goals(goal: Goal, instance: int) -> None:
    play(goal, instance)


def test_there_are_many_and_near_duplicates() -> None:
    _, phone, _ = hands()
    account = phone.world.state().account
    assert len(account.contacts) >= 20
    assert len({person.id for person in account.contacts}) == len(account.contacts)
    phone.tap("home/contacts")
    assert f"contacts/list/{max(account.contacts, key=lambda person: person.name).id}" not in phone.ids()


def test_a_second_contact_of_one_name_has_an_id_of_its_own_and_a_form_without_a_name_is_not_saved() -> None:
    world, phone, _ = hands()
    name = world.state().account.contacts[0].name
    phone.tap("home/contacts", "contacts/list/new")
    assert "disabled" in phone.find("contacts/edit/save").states
    phone.type("contacts/edit/name", name)
    phone.tap("contacts/edit/save")
    assert world.state().account.contacts[-1].id == f"{world.state().account.contacts[0].id}-2"


def test_who_is_blocked_disturbs_nobody() -> None:
    world, phone, _ = hands()
    id = opened(phone, world.state().account)
    phone.tap("contacts/person/blocked")
    before = world.state().account.threads
    world.prepare(lambda state: state.later(0.5, MessageArrives(id, "Hello?")))
    world.wait(1.0)
    assert world.state().account.threads == before
