"""Notes: what people do with it, done through its interface."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from phone_goals import Goal, changed, hold, miss, play, reach
from sim_hands import Hands, hands

from omnipilot.envs import Swipe
from omnipilot.envs.sim.state.account import Account, Document
from omnipilot.envs.sim.words.people_and_texts import NEAR_NOTES


def note(account: Account, n: int = 0) -> Document:
    """The nth note by name."""
    return sorted(account.notes, key=lambda note: note.name)[n]


def now_at(account: Account, note: Document) -> Document:
    found = account.document(note.id)
    assert found is not None, f"{note.name} is gone"
    return found


def near(account: Account) -> tuple[Document, Document]:
    """A note, and the one that is easily taken for it."""
    by_name = {note.name: note for note in account.notes}
    name = next(name for name in sorted(by_name) if NEAR_NOTES.get(name) in by_name)
    return by_name[name], by_name[NEAR_NOTES[name]]


def opened(phone: Hands, note: Document) -> list[str]:
    phone.open("notes")
    reach(phone, f"notes/notes/{note.id}")
    phone.tap(f"notes/notes/{note.id}")
    return [f"documents/{note.id}"]


def fresh(account: Account) -> list[str]:
    return [f"documents/document-{len(account.documents) + 1}"]


def add(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/notes", "notes/notes/new")
    phone.type("notes/edit/title", "Boat")
    phone.type("notes/edit/body", "Rope\nPaint")
    phone.tap("notes/edit/save")
    return fresh(account)


def add_unsaved(phone: Hands, account: Account) -> None:
    phone.tap("home/notes", "notes/notes/new")
    phone.type("notes/edit/title", "Boat")
    phone.type("notes/edit/body", "Rope\nPaint")
    phone.tap("notes/edit/back")


def untitled(phone: Hands, account: Account) -> list[str]:
    phone.tap("home/notes", "notes/notes/new")
    phone.type("notes/edit/body", "Call the harbour\nbefore noon")
    phone.tap("notes/edit/save")
    return fresh(account)


def append(phone: Hands, wanted: Document, text: str = "\nOne more line") -> list[str]:
    ids = opened(phone, wanted)
    phone.type("notes/edit/body", text)
    phone.tap("notes/edit/save")
    return ids


def rename(phone: Hands, account: Account) -> list[str]:
    ids = opened(phone, note(account, 2))
    phone.type("notes/edit/title", "Renamed", clear=True)
    phone.tap("notes/edit/save")
    return ids


def rename_by_adding(phone: Hands, account: Account) -> None:
    opened(phone, note(account, 2))
    phone.type("notes/edit/title", "Renamed")
    phone.tap("notes/edit/save")


def rewrite(phone: Hands, account: Account) -> list[str]:
    ids = opened(phone, note(account, 3))
    phone.type("notes/edit/body", "All new", clear=True)
    phone.tap("notes/edit/save")
    return ids


def delete(phone: Hands, wanted: Document, sure: str = "really") -> list[str]:
    ids = opened(phone, wanted)
    phone.tap("notes/edit/delete", f"notes/edit/{sure}")
    return ids


def held(phone: Hands, wanted: Document, sure: str = "really") -> list[str]:
    phone.tap("home/notes")
    reach(phone, f"notes/notes/{wanted.id}")
    hold(phone, f"notes/notes/{wanted.id}", "delete")
    phone.tap(f"notes/edit/{sure}")
    return [f"documents/{wanted.id}"]


def found(phone: Hands, account: Account) -> list[str]:
    """Find a note by words of its text, not by its name."""
    wanted = note(account, 4)
    phone.tap("home/notes")
    phone.type("notes/notes/search", wanted.text.split("\n")[0])
    assert [id for id in phone.ids() if id.startswith("notes/notes/document")] == [f"notes/notes/{wanted.id}"]
    phone.tap(f"notes/notes/{wanted.id}")
    phone.type("notes/edit/body", " (found)")
    phone.tap("notes/edit/save")
    return [f"documents/{wanted.id}"]


def copy(phone: Hands, source: Document, target: Document) -> list[str]:
    """All of one note at the end of another, by the clipboard."""
    opened(phone, source)
    hold(phone, "notes/edit/body", "select-all")
    hold(phone, "notes/edit/body", "copy")
    phone.tap("notes/edit/back")
    ids = opened(phone, target)
    phone.tap("notes/edit/body")
    hold(phone, "notes/edit/body", "paste")
    phone.tap("notes/edit/save")
    return ids


ADD = Goal(
    "add", add, lambda _, now: any((note.name, note.text) == ("Boat", "Rope\nPaint") for note in now.account.notes)
)
UNTITLED = Goal(
    "add without a title",
    untitled,
    lambda _, now: any(
        (note.name, note.text) == ("Call the harbour", "Call the harbour\nbefore noon") for note in now.account.notes
    ),
)
APPEND = Goal(
    "append",
    lambda phone, account: append(phone, note(account)),
    lambda old, now: now_at(now.account, note(old.account)).text == f"{note(old.account).text}\nOne more line",
)
NEAR = Goal(
    "append to one of two",
    lambda phone, account: append(phone, near(account)[0]),
    lambda old, now: now_at(now.account, near(old.account)[0]).text == f"{near(old.account)[0].text}\nOne more line",
)
RENAME = Goal(
    "rename",
    rename,
    lambda old, now: (
        now_at(now.account, note(old.account, 2)).name == "Renamed"
        and now_at(now.account, note(old.account, 2)).text == note(old.account, 2).text
    ),
)
REWRITE = Goal("rewrite", rewrite, lambda old, now: now_at(now.account, note(old.account, 3)).text == "All new")
DELETE = Goal(
    "delete",
    lambda phone, account: delete(phone, note(account, 5)),
    lambda old, now: now.account.document(note(old.account, 5).id) is None,
)
HELD = Goal(
    "delete in the list",
    lambda phone, account: held(phone, note(account, 6)),
    lambda old, now: now.account.document(note(old.account, 6).id) is None,
)
FOUND = Goal(
    "find by its text",
    found,
    lambda old, now: now_at(now.account, note(old.account, 4)).text == f"{note(old.account, 4).text} (found)",
)
COPY = Goal(
    "copy into another",
    lambda phone, account: copy(phone, note(account, 1), note(account, 2)),
    lambda old, now: (
        now_at(now.account, note(old.account, 2)).text == note(old.account, 2).text + note(old.account, 1).text
    ),
)
GOALS = [ADD, UNTITLED, APPEND, NEAR, RENAME, REWRITE, DELETE, HELD, FOUND, COPY]

WRONG: list[tuple[Goal, Callable[[Hands, Account], object]]] = [
    (ADD, add_unsaved),
    (APPEND, lambda phone, account: append(phone, note(account, 1))),
    (APPEND, lambda phone, account: append(phone, note(account), "One more line")),
    (NEAR, lambda phone, account: append(phone, near(account)[1])),
    (RENAME, rename_by_adding),
    (REWRITE, lambda phone, account: append(phone, note(account, 3), "All new")),
    (DELETE, lambda phone, account: delete(phone, note(account, 5), "keep")),
    (HELD, lambda phone, account: held(phone, note(account, 6), "keep")),
    (COPY, lambda phone, account: copy(phone, note(account, 2), note(account, 1))),
]


@pytest.mark.parametrize("instance", [3, 8])
@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.name)
def test_goals(goal: Goal, instance: int) -> None:
    play(goal, instance)


@pytest.mark.parametrize("instance", [3, 8])
@pytest.mark.parametrize(("goal", "wrong"), WRONG, ids=[goal.name for goal, _ in WRONG])
def test_what_comes_near_does_not_count(goal: Goal, wrong: Callable[[Hands, Account], object], instance: int) -> None:
    miss(goal, wrong, instance)


def test_what_was_saved_last_comes_first() -> None:
    world, phone, _ = hands()
    oldest = min(world.state().account.notes, key=lambda note: note.saved)
    append(phone, oldest)
    phone.do(Swipe("down"), Swipe("down"), Swipe("down"))
    shown = [id for id in phone.ids() if id.startswith("notes/notes/document")]
    assert shown[0] == f"notes/notes/{oldest.id}"


def test_a_search_that_finds_nothing_says_so_and_changes_nothing() -> None:
    world, phone, _ = hands()
    before = world.state().account
    phone.tap("home/notes")
    phone.type("notes/notes/search", "zeppelin")
    assert "No notes found" in [element.name for element in phone.env.ui_tree()]
    assert changed(before, world.state().account) == set()


def test_there_are_more_than_a_screen_shows() -> None:
    world, phone, _ = hands()
    account = world.state().account
    phone.tap("home/notes")
    seen: set[str] = set()
    for _ in range(6):
        shown = {id for id in phone.ids() if id.startswith("notes/notes/document")}
        assert len(shown) < len(account.notes) >= 20
        seen |= shown
        phone.do(Swipe("up"))
    assert seen == {f"notes/notes/{note.id}" for note in account.notes}
