"""Text Editor's goals, played through its screen; each changes the documents that it names and nothing else."""

from __future__ import annotations

import pytest
from phone_goals import changed
from sim_desktop_goals import Goal, prove, reach
from sim_hands import Hands, hands

from omnipilot.envs import Press, Scroll, TypeText
from omnipilot.envs.sim.state.account import Document
from omnipilot.envs.sim.state.world_state import WorldState

NEXT = "document-47"
"""The id of the first document that an episode makes."""
SAVE, ALL, COPY, CUT, PASTE = (Press(("ctrl", key)) for key in "sacxv")


def document(state: WorldState, path: str) -> Document:
    found = state.account.document(path)
    assert found is not None, path
    return found


def show(desktop: Hands, start: WorldState, path: str) -> str:
    """Bring a document's row into sight, wherever the list stands; gives the row's id."""
    wanted = f"editor/files/{document(start, path).id}"
    rows = [id for id in desktop.ids() if id.startswith("editor/files/document")]
    desktop.do(Scroll("up", amount=100, at=desktop.at(rows[0])))
    rows = [id for id in desktop.ids() if id.startswith("editor/files/document")]
    reach(desktop, wanted, rows[0])
    return wanted


def opened(desktop: Hands, start: WorldState, path: str) -> str:
    """Open a document; gives what the ids of its fields begin with. The caret is at the end of its text."""
    desktop.tap(show(desktop, start, path))
    return f"editor/edit/{document(start, path).id}"


def texts(start: WorldState, now: WorldState, expected: dict[str, str]) -> bool:
    """Just the documents of these paths changed, to these texts, and kept their paths."""
    if changed(start.account, now.account) != {f"documents/{document(start, path).id}" for path in expected}:
        return False
    found = {path: now.account.document(path) for path in expected}
    return all(new is not None and new.text == expected[path] for path, new in found.items())


def make(desktop: Hands, _: WorldState) -> None:
    desktop.tap("editor/new")
    desktop.do(TypeText("Tea\nand cake"))
    desktop.type(f"editor/edit/{NEXT}/name", "Party", clear=True)
    desktop.tap("editor/edit/save")


def make_unsaved(desktop: Hands, _: WorldState) -> None:
    desktop.tap("editor/new")
    desktop.do(TypeText("Tea\nand cake"))


def made(start: WorldState, now: WorldState) -> bool:
    new = now.account.document("Documents/Party")
    return (
        changed(start.account, now.account) == {f"documents/{NEXT}"} and new is not None and new.text == "Tea\nand cake"
    )


def append(desktop: Hands, start: WorldState, path: str = "Reports/Sales March", *last: Press) -> None:
    opened(desktop, start, path)
    desktop.do(TypeText("\nChecked"), *(last or (SAVE,)))


def checked(start: WorldState, now: WorldState) -> bool:
    old = document(start, "Reports/Sales March")
    return texts(start, now, {old.path: f"{old.text}\nChecked"})


def rename(desktop: Hands, start: WorldState, path: str = "Work/Door list") -> None:
    fields = opened(desktop, start, path)
    desktop.type(f"{fields}/name", "Doors", clear=True)
    desktop.do(SAVE)


def renamed(start: WorldState, now: WorldState) -> bool:
    old = document(start, "Work/Door list")
    new = now.account.document("Work/Doors")
    only = changed(start.account, now.account) == {f"documents/{old.id}"}
    return only and new is not None and (new.id, new.text) == (old.id, old.text)


def delete(desktop: Hands, start: WorldState, path: str = "Travel/Oslo hotel", sure: str = "really") -> None:
    row = show(desktop, start, path)
    desktop.tap(row, button="right")
    desktop.tap(f"{row}/delete", f"editor/{sure}")


def deleted(start: WorldState, now: WorldState) -> bool:
    old = document(start, "Travel/Oslo hotel")
    return changed(start.account, now.account) == {f"documents/{old.id}"} and now.account.document(old.id) is None


def rewrite(desktop: Hands, start: WorldState, path: str = "Reports/2024/Visitors") -> None:
    fields = opened(desktop, start, path)
    desktop.type(f"{fields}/body", "None came", clear=True)
    desktop.tap("editor/edit/save")


def copy(
    desktop: Hands, start: WorldState, source: str = "Work/Rota week 11", target: str = "Work/Rota week 12"
) -> None:
    opened(desktop, start, source)
    desktop.do(ALL, COPY)
    opened(desktop, start, target)
    desktop.do(Press(("enter",)), PASTE, SAVE)


def copied(start: WorldState, now: WorldState) -> bool:
    one, other = document(start, "Work/Rota week 11"), document(start, "Work/Rota week 12")
    return texts(start, now, {other.path: f"{other.text}\n{one.text}"})


def cut(desktop: Hands, start: WorldState) -> None:
    opened(desktop, start, "Work/Door list old")
    desktop.do(ALL, CUT, SAVE)
    opened(desktop, start, "Work/Door list")
    desktop.do(PASTE, SAVE)


def cut_unsaved(desktop: Hands, start: WorldState) -> None:
    opened(desktop, start, "Work/Door list old")
    desktop.do(ALL, CUT)
    opened(desktop, start, "Work/Door list")
    desktop.do(PASTE, SAVE)


def emptied(start: WorldState, now: WorldState) -> bool:
    old, new = document(start, "Work/Door list old"), document(start, "Work/Door list")
    return texts(start, now, {old.path: "", new.path: new.text + old.text})


def note(desktop: Hands, start: WorldState, name: str = "Ideas") -> None:
    opened(desktop, start, f"Notes/{name}")
    desktop.do(TypeText("\nA pond"), SAVE)


def noted(start: WorldState, now: WorldState) -> bool:
    old = document(start, "Notes/Ideas")
    on_phone = f"{old.text}\nA pond" in [note.text for note in now.account.notes]
    return on_phone and texts(start, now, {old.path: f"{old.text}\nA pond"})


GOALS = (
    Goal("make a document", make, made, make_unsaved),
    Goal(
        "append to one of three",
        append,
        checked,
        lambda desktop, start: append(desktop, start, "Reports/2024/Sales March"),
    ),
    Goal(
        "append and save", append, checked, lambda desktop, start: append(desktop, start, "Reports/Sales March", COPY)
    ),
    Goal("rename one of two", rename, renamed, lambda desktop, start: rename(desktop, start, "Work/Door list old")),
    Goal("delete one hotel", delete, deleted, lambda desktop, start: delete(desktop, start, "Travel/Bergen hotel")),
    Goal("delete only when sure", delete, deleted, lambda desktop, start: delete(desktop, start, sure="keep")),
    Goal(
        "rewrite last year's",
        rewrite,
        lambda start, now: texts(start, now, {"Reports/2024/Visitors": "None came"}),
        lambda desktop, start: rewrite(desktop, start, "Reports/Visitors"),
    ),
    Goal(
        "copy one into another",
        copy,
        copied,
        lambda desktop, start: copy(desktop, start, "Work/Rota week 12", "Work/Rota week 11"),
    ),
    Goal("move all of a text", cut, emptied, cut_unsaved),
    Goal("a note of the phone", note, noted, lambda desktop, start: note(desktop, start, "Measurements")),
)


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_goal(goal: Goal) -> None:
    prove(goal, "editor")


def test_the_foot_tells_what_is_saved_and_how_many_words_there_are() -> None:
    world, _, desktop = hands()
    start = world.state()
    desktop.open("editor")
    opened(desktop, start, "Documents/Budget" if start.account.document("Documents/Budget") else "Work/Door list")
    words = len(start.account.document(world.state().desktop.front.view.arg).text.split())  # type: ignore[union-attr]
    assert f"{words} words" in desktop.find("editor/edit/status").name
    assert desktop.find("editor/edit/status").name.endswith("·   saved")
    desktop.do(TypeText(" seven more"))
    assert f"{words + 2} words" in desktop.find("editor/edit/status").name
    assert desktop.find("editor/edit/status").name.endswith("not saved")
    assert changed(start.account, world.state().account) == set()


def test_an_empty_name_keeps_the_old_one() -> None:
    world, _, desktop = hands()
    start = world.state()
    desktop.open("editor")
    fields = opened(desktop, start, "Travel/Oslo tickets")
    desktop.type(f"{fields}/name", "  ", clear=True)
    desktop.tap("editor/edit/save")
    assert document(world.state(), "Travel/Oslo tickets").id == document(start, "Travel/Oslo tickets").id
