"""Messages: what people do with it, done through its interface."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from phone_goals import Goal, changed, hold, miss, pick, play, reach
from sim_hands import Hands, hands

from omnipilot.envs import Swipe, System
from omnipilot.envs.sim.state.account import Account, Contact, Thread


def near(account: Account) -> tuple[Contact, Contact]:
    """Two people with threads whose names are nearly the same."""
    people = [person for person in account.contacts if account.thread(person.id).messages]
    for i, one in enumerate(people):
        for other in people[i + 1 :]:
            (a, b), (c, d) = one.name.split(), other.name.split()
            if (a[:2], b[:2]) == (c[:2], d[:2]):
                return one, other
    raise AssertionError("nobody is nearly called like another")


def stranger(account: Account) -> Contact:
    """Somebody to whom nothing was ever written."""
    person: Contact = pick(account.contacts, lambda person: not account.thread(person.id).messages)
    return person


def waiting(account: Account) -> Thread:
    """A thread with something unread."""
    thread: Thread = pick(account.threads, lambda thread: thread.unread > 0)
    return thread


def opened(phone: Hands, contact: str) -> str:
    """Open a thread from the list; gives the id of its screen."""
    phone.open("messages")
    if "messages/thread/back" in phone.ids():
        phone.tap("messages/thread/back")
    phone.do(*[Swipe("down")] * 4)
    reach(phone, f"messages/threads/{contact}")
    phone.tap(f"messages/threads/{contact}")
    return f"messages/thread/{contact}"


def write(phone: Hands, contact: str, text: str) -> list[str]:
    phone.type(f"{opened(phone, contact)}/text", text, submit=True)
    return [f"threads/{contact}"]


def bubbles(phone: Hands, contact: str) -> list[str]:
    return [id for id in phone.ids() if id.startswith(f"messages/thread/{contact}/") and id[-1].isdigit()]


def forward(phone: Hands, source: str, target: str) -> list[str]:
    """Copy the last message from one thread into another."""
    # What is opened counts as read.
    also = [f"threads/{source}"] if phone.world.state().account.thread(source).unread else []
    opened(phone, source)
    hold(phone, bubbles(phone, source)[-1], "copy")
    phone.tap("messages/thread/back")
    screen = opened(phone, target)
    hold(phone, f"{screen}/text", "paste")
    phone.tap(f"{screen}/send")
    return [f"threads/{target}", *also]


def by_number(phone: Hands, account: Account) -> list[str]:
    person = stranger(account)
    phone.tap("home/messages", "messages/threads/new")
    phone.type("messages/new/search", person.phone)
    phone.tap(f"messages/new/{person.id}")
    phone.type(f"messages/thread/{person.id}/text", "Is this you?")
    phone.tap(f"messages/thread/{person.id}/send")
    return [f"threads/{person.id}"]


def unsent(phone: Hands, account: Account) -> None:
    person = stranger(account)
    phone.tap("home/messages", "messages/threads/new")
    phone.type("messages/new/search", person.phone)
    phone.tap(f"messages/new/{person.id}")
    phone.type(f"messages/thread/{person.id}/text", "Is this you?")
    phone.do(System("back"))


def read_all(phone: Hands, account: Account) -> list[str]:
    unread = [thread.contact for thread in account.threads if thread.unread]
    for contact in unread:
        opened(phone, contact)
        phone.tap("messages/thread/back")
    return [f"threads/{contact}" for contact in unread]


def answer(phone: Hands, account: Account) -> list[str]:
    return write(phone, waiting(account).contact, "On my way")


def twice(phone: Hands, account: Account) -> list[str]:
    contact = near(account)[0].id
    screen = opened(phone, contact)
    for text in ("First", "Second"):
        phone.type(f"{screen}/text", text)
        phone.tap(f"{screen}/send")
    return [f"threads/{contact}"]


def backwards(phone: Hands, account: Account) -> None:
    for text in ("Second", "First"):
        write(phone, near(account)[0].id, text)


def delete(phone: Hands, account: Account) -> list[str]:
    contact = near(account)[1].id
    phone.tap("home/messages")
    reach(phone, f"messages/threads/{contact}")
    hold(phone, f"messages/threads/{contact}", "delete")
    return [f"threads/{contact}"]


def delete_the_other(phone: Hands, account: Account) -> None:
    contact = near(account)[0].id
    phone.tap("home/messages")
    reach(phone, f"messages/threads/{contact}")
    hold(phone, f"messages/threads/{contact}", "delete")


def last_sent(account: Account, contact: str) -> str:
    return (account.thread(contact).sent or ("",))[-1]


def forwarded(old: Account, new: Account) -> bool:
    source, target = near(old)
    words = old.thread(source.id).messages[-1].text
    sent = new.thread(target.id).sent
    return len(sent) == len(old.thread(target.id).sent) + 1 and sent[-1] == words


TEXT = Goal(
    "text one of two",
    lambda phone, account: write(phone, near(account)[0].id, "See you at nine"),
    lambda old, now: last_sent(now.account, near(old.account)[0].id) == "See you at nine",
)
STRANGER = Goal(
    "write to a number",
    by_number,
    lambda old, now: now.account.thread(stranger(old.account).id).sent == ("Is this you?",),
)
ANSWER = Goal(
    "answer what is unread",
    answer,
    lambda old, now: (
        now.account.thread(waiting(old.account).contact).unread == 0
        and last_sent(now.account, waiting(old.account).contact) == "On my way"
    ),
)
READ = Goal("read everything", read_all, lambda _, now: not any(thread.unread for thread in now.account.threads))
TWICE = Goal(
    "two in this order",
    twice,
    lambda old, now: now.account.thread(near(old.account)[0].id).sent[-2:] == ("First", "Second"),
)
FORWARD = Goal(
    "forward the last message",
    lambda phone, account: forward(phone, near(account)[0].id, near(account)[1].id),
    lambda old, now: forwarded(old.account, now.account),
)
DELETE = Goal(
    "delete one of two",
    delete,
    lambda old, now: near(old.account)[1].id not in {thread.contact for thread in now.account.threads},
)
GOALS = [TEXT, STRANGER, ANSWER, READ, TWICE, FORWARD, DELETE]

WRONG: list[tuple[Goal, Callable[[Hands, Account], object]]] = [
    (TEXT, lambda phone, account: write(phone, near(account)[1].id, "See you at nine")),
    (STRANGER, unsent),
    (ANSWER, lambda phone, account: opened(phone, waiting(account).contact)),
    (READ, lambda phone, account: phone.tap("home/messages", "system/home")),
    (TWICE, backwards),
    (FORWARD, lambda phone, account: forward(phone, near(account)[1].id, near(account)[0].id)),
    (DELETE, delete_the_other),
]


@pytest.mark.parametrize("instance", [3, 8])
@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.name)
def test_goals(goal: Goal, instance: int) -> None:
    play(goal, instance)


@pytest.mark.parametrize("instance", [3, 8])
@pytest.mark.parametrize(("goal", "wrong"), WRONG, ids=[goal.name for goal, _ in WRONG])
def test_what_comes_near_does_not_count(goal: Goal, wrong: Callable[[Hands, Account], object], instance: int) -> None:
    miss(goal, wrong, instance)


def test_the_list_shows_the_newest_first_and_no_thread_twice() -> None:
    world, phone, _ = hands()
    account = world.state().account
    phone.tap("home/messages")
    seen: list[str] = []
    for _ in range(12):
        seen += [
            id
            for id in phone.ids()
            if id.startswith("messages/threads/") and id.count("/") == 2 and not id.endswith("/new") and id not in seen
        ]
        phone.do(Swipe("up"))
    order = sorted(account.threads, key=lambda thread: -thread.messages[-1].time)
    assert seen == [f"messages/threads/{thread.contact}" for thread in order]


def test_looking_at_a_read_thread_changes_nothing() -> None:
    world, phone, _ = hands()
    before = world.state().account
    thread = pick(before.threads, lambda thread: not thread.unread)
    screen = opened(phone, thread.contact)
    phone.type(f"{screen}/text", "   ", submit=True)
    phone.tap("messages/thread/back")
    assert changed(before, world.state().account) == set()
