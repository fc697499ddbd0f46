"""What is typed over a document that changes meanwhile, and names that are refused: Text Editor and Notes."""

from __future__ import annotations

from phone_goals import reach
from sim_hands import Hands, hands

from omnipilot.envs import Press, Scroll, TypeText
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.account import Document

SAVE = Press(("ctrl", "s"))


def both_open() -> tuple[SimWorld, Hands, Hands, Document]:
    """A note that the phone and the desktop show, with the caret in the desktop's text."""
    world, phone, desktop = hands()
    note = min(world.state().account.notes, key=lambda note: note.name)
    phone.open("notes")
    reach(phone, f"notes/notes/{note.id}")
    phone.tap(f"notes/notes/{note.id}")
    desktop.open("editor")
    row = f"editor/files/{note.id}"
    while row not in desktop.ids():
        desktop.do(Scroll("down", amount=2, at=desktop.at("editor/new")))
    desktop.tap(row, f"editor/edit/{note.id}/body")
    return world, phone, desktop, note


def text_of(world: SimWorld, note: Document) -> str:
    return world.state().account.document(note.id).text  # type: ignore[union-attr]


def problem(desktop: Hands) -> str:
    found = desktop.env.ui_tree().by_id("editor/edit/problem")
    return "" if found is None else found.name


def test_what_the_phone_saves_comes_into_an_open_editor() -> None:
    world, phone, desktop, note = both_open()
    desktop.do(TypeText(" one"), SAVE)
    phone.type("notes/edit/body", "\ntwo")
    phone.tap("notes/edit/save")
    wanted = f"{note.text} one\ntwo"
    assert text_of(world, note) == wanted
    assert desktop.find(f"editor/edit/{note.id}/body").value == wanted
    assert desktop.find("editor/edit/status").name.endswith("·   saved") and problem(desktop) == ""
    desktop.do(TypeText(" three"), SAVE)
    assert text_of(world, note) == f"{wanted} three"


def test_what_is_not_saved_is_kept_and_the_editor_says_what_happened() -> None:
    world, phone, desktop, note = both_open()
    desktop.do(TypeText(" mine"))
    phone.type("notes/edit/body", " theirs")
    phone.tap("notes/edit/save")
    assert desktop.find(f"editor/edit/{note.id}/body").value == f"{note.text} mine"
    assert "changed elsewhere" in problem(desktop)
    assert text_of(world, note) == f"{note.text} theirs"
    desktop.do(SAVE)
    assert text_of(world, note) == f"{note.text} mine" and problem(desktop) == ""


def test_the_caret_stays_where_one_saves() -> None:
    world, _, desktop, note = both_open()
    desktop.do(Press(("ctrl", "home")), TypeText("A"), SAVE, TypeText("B"), SAVE)
    assert text_of(world, note) == f"AB{note.text}"


def test_a_note_on_the_phone_follows_the_desktop_too_and_keeps_what_is_not_saved() -> None:
    world, phone, desktop, note = both_open()
    phone.tap("notes/edit/body")
    desktop.do(TypeText(" one"), SAVE)
    assert phone.find("notes/edit/body").value == f"{note.text} one"
    phone.type("notes/edit/body", " two")
    desktop.do(TypeText(" three"), SAVE)
    assert phone.find("notes/edit/body").value == f"{note.text} one two"
    assert "changed elsewhere" in phone.find("notes/edit/problem").name
    phone.tap("notes/edit/save")
    assert text_of(world, note) == f"{note.text} one two"


def test_a_name_that_another_file_has_is_refused_and_nothing_is_lost() -> None:
    world, _, desktop, note = both_open()
    other = max(world.state().account.notes, key=lambda note: note.name)
    before = world.state().account
    desktop.do(TypeText(" more"))
    for name in (other.name, f" {other.name} ", "a/b", "x" * 61):
        desktop.type(f"editor/edit/{note.id}/name", name, clear=True)
        assert "disabled" in desktop.find("editor/edit/save").states
        desktop.do(SAVE)
        assert world.state().account == before
        assert problem(desktop).startswith("Not saved: ")
    assert "already there" not in problem(desktop)
    desktop.type(f"editor/edit/{note.id}/name", other.name, clear=True)
    assert problem(desktop) == f"Not saved: Notes/{other.name} is already there"
    desktop.type(f"editor/edit/{note.id}/name", "Quite new", clear=True)
    assert problem(desktop) == ""
    desktop.do(SAVE)
    assert world.state().account.document("Notes/Quite new").text == f"{note.text} more"  # type: ignore[union-attr]


def test_spaces_around_a_name_are_no_part_of_it() -> None:
    world, _, desktop, note = both_open()
    name = f"editor/edit/{note.id}/name"
    desktop.type(name, "  Harbour ", clear=True)
    desktop.do(SAVE)
    assert world.state().account.document("Notes/Harbour") is not None
    assert desktop.find("editor/edit/status").name.endswith("·   saved")
    assert desktop.find(name).value == "Harbour"
    desktop.type(name, "Harbour  ", clear=True)
    assert desktop.find("editor/edit/status").name.endswith("·   saved")


def test_what_is_typed_and_taken_back_is_not_unsaved() -> None:
    world, phone, desktop, note = both_open()
    desktop.do(TypeText("x"), Press(("backspace",)))
    assert desktop.find("editor/edit/status").name.endswith("·   saved")
    phone.type("notes/edit/body", " theirs")
    phone.tap("notes/edit/save")
    assert desktop.find(f"editor/edit/{note.id}/body").value == f"{note.text} theirs" == text_of(world, note)
