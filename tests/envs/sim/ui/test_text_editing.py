"""Text fields: drafts, carets, selections, keys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sim_hands import Hands, hands

from omnipilot.envs import (
    Click,
    Custom,
    Drag,
    KeyDown,
    KeyUp,
    LongPress,
    MouseDown,
    MouseMove,
    MouseUp,
    Point,
    Press,
    Scroll,
    TypeText,
)
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.render.text import measure
from omnipilot.envs.sim.state.account import Document
from omnipilot.envs.sim.state.table import FrozenTable
from omnipilot.envs.sim.state.world_state import Field
from omnipilot.envs.sim.ui import text_editing as edit
from omnipilot.envs.sim.ui.text_lines import column_at, lines_of, row_of

TEXTS = st.text(alphabet="ab c\nÅé.-", max_size=60)
FIELDS = TEXTS.flatmap(
    lambda text: st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(lambda at: Field(text, *at))
)


@given(FIELDS, TEXTS)
def test_inserting_replaces_the_selection(field: Field, text: str) -> None:
    start, end = edit.selection(field)
    after = edit.insert(field, text)
    assert after.text == field.text[:start] + text + field.text[end:]
    assert after.caret == after.anchor == start + len(text)


@given(FIELDS, st.booleans())
def test_erasing_takes_the_selection_or_one_character(field: Field, forward: bool) -> None:
    after = edit.erase(field, forward)
    start, end = edit.selection(field)
    if start != end:
        assert after.text == field.text[:start] + field.text[end:]
    else:
        at_edge = start == (len(field.text) if forward else 0)
        assert len(field.text) - len(after.text) == (0 if at_edge else 1)
    assert 0 <= after.caret == after.anchor <= len(after.text)


@given(FIELDS, st.booleans(), st.integers(-5, 70), st.booleans())
def test_carets_stay_inside_the_text(field: Field, forward: bool, place: int, extend: bool) -> None:
    for after in (
        edit.place(field, place, extend),
        edit.select_word(field, place),
        edit.select_all(field),
        edit.place(field, edit.word_step(field, forward)),
    ):
        assert after.text == field.text
        assert 0 <= after.caret <= len(field.text)
        assert 0 <= after.anchor <= len(field.text)


@given(TEXTS, st.integers(20, 200))
def test_lines_lose_nothing_and_fit(text: str, width: int) -> None:
    lines = lines_of(text, 14, "regular", width)
    rebuilt = ""
    for start, line in lines:
        rebuilt += text[len(rebuilt) : start]
        assert start == len(rebuilt)
        rebuilt += line
        assert "\n" not in line
        # A blank at the end may hang over, as it does in every editor.
        assert measure(line.removesuffix(" "), 14) <= width or len(line) == 1
    assert rebuilt == text
    for caret in range(len(text) + 1):
        start, line = lines[row_of(lines, caret)]
        assert start <= caret <= start + len(line)


@given(st.text(alphabet="abcW .", max_size=30), st.data())
def test_the_caret_lands_where_it_is_drawn(line: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(line)))
    x = measure(line[:place], 14)
    assert measure(line[: column_at(line, x, 14)], 14) == x


def test_a_click_goes_to_the_nearer_side_of_a_character() -> None:
    wide = measure("W", 14)
    assert [column_at("WW", x, 14) for x in (0, wide // 2 - 1, wide // 2 + 1, wide, 3 * wide)] == [0, 0, 1, 1, 2]


def test_tables_are_values() -> None:
    one = FrozenTable({"a": 1}).set("b", 2)
    assert one == FrozenTable({"b": 2, "a": 1})
    assert hash(one) == hash(FrozenTable({"b": 2, "a": 1}))
    assert one.without("a") == FrozenTable({"b": 2})
    assert dict(one) == {"a": 1, "b": 2}
    assert one.without(lambda key: key > "c") is one


TEXT = "The quick brown fox\njumps over\nthe lazy dog"


def editor(text: str = TEXT) -> tuple[SimWorld, Hands]:
    """The text editor with one open document; its body has the focus, the caret is at the end."""
    world, _, desktop = hands()
    world.prepare(lambda s: s.own(s.account.put(Document("document-99", "Documents", "AAA", text))))
    desktop.open("editor")
    desktop.tap("editor/files/document-99")
    return world, desktop


BODY = "editor/edit/document-99/body"


def body(world: SimWorld) -> Field:
    return world.state().desktop.fields.get(BODY) or edit.draft(TEXT)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ([("ctrl", "a"), ("x",)], "x"),
        ([("backspace",)], TEXT[:-1]),
        ([("ctrl", "home"), ("delete",)], TEXT[1:]),
        ([("home",), ("shift", "z")], TEXT.replace("the", "Zthe")),
        ([("up",), ("end",), ("!",)], TEXT.replace("over", "over!")),
        ([("ctrl", "home"), ("down",), ("-",)], TEXT.replace("jumps", "-jumps")),
        ([("ctrl", "backspace")], TEXT.replace("dog", "")),
        ([("ctrl", "left"), ("shift", "end"), ("c",), ("a",), ("t",)], TEXT.replace("dog", "cat")),
        ([("ctrl", "a"), ("ctrl", "c"), ("right",), ("enter",), ("ctrl", "v")], f"{TEXT}\n{TEXT}"),
        ([("ctrl", "a"), ("ctrl", "x"), ("space",), ("ctrl", "v")], f" {TEXT}"),
        ([("shift", "left"), ("shift", "left"), ("shift", "left"), ("delete",)], TEXT[:-3]),
        ([("ctrl", "home"), ("right",), ("right",), ("left",), ("_",)], "T_he" + TEXT[3:]),
        ([("f5",), ("alt", "q"), ("insert",)], TEXT),
    ],
)
def test_keys_edit_as_they_do_everywhere(keys: list[tuple[str, ...]], text: str) -> None:
    world, desktop = editor()
    for combination in keys:
        desktop.do(Press(combination))
    assert body(world).text == text


def test_saving_by_key_and_the_dot_that_asks_for_it() -> None:
    world, desktop = editor()
    desktop.do(TypeText("!"))
    assert desktop.look().context.title.startswith("• ")  # type: ignore[union-attr]
    assert world.state().account.document("document-99").text == TEXT  # type: ignore[union-attr]
    desktop.do(Press(("ctrl", "s")))
    assert world.state().account.document("document-99").text == f"{TEXT}!"  # type: ignore[union-attr]
    assert not desktop.look().context.title.startswith("•")  # type: ignore[union-attr]


def test_held_keys_count() -> None:
    world, desktop = editor()
    desktop.do(KeyDown(("ctrl",)), Press(("a",)), KeyUp(("ctrl",)), Press(("q",)))
    assert body(world).text == "q"
    desktop.do(KeyDown(("shift",)), Press(("left",)), KeyUp(("shift",)), KeyDown(("ctrl",)), KeyDown(("x",)))
    assert world.state().desktop.clipboard == "q"
    assert world.state().desktop.keys == ("ctrl", "x")
    desktop.do(KeyUp(("ctrl", "x")))
    assert body(world).text == ""


def test_the_mouse_places_the_caret_and_selects() -> None:
    world, desktop = editor()
    box = desktop.find(BODY).box
    start = Point(box.left + 14 / 1280, box.top + 18 / 800)
    end = Point(start.x + (measure("The quick", 14) - 2) / 1280, start.y)
    desktop.do(Click(start))
    assert (body(world).caret, body(world).anchor) == (0, 0)
    desktop.do(Drag(end, start=start))
    assert edit.selected_text(body(world)) == "The quick"
    desktop.do(Click(end, count=2))
    assert edit.selected_text(body(world)) == "quick"
    desktop.do(Click(end, count=3))
    assert edit.selected_text(body(world)) == TEXT
    desktop.do(Click(start), Click(end, modifiers=("shift",)))
    assert edit.selected_text(body(world)) == "The quick"
    desktop.do(MouseDown(end), MouseMove(start), MouseUp())
    assert edit.selected_text(body(world)) == "The quick"
    desktop.do(TypeText("A"))
    assert body(world).text.startswith("A brown")


def test_a_click_below_the_text_goes_to_its_end() -> None:
    world, desktop = editor("first\n" + "a long last line " * 4)
    desktop.do(Press(("ctrl", "home")), Click(desktop.at(BODY)), TypeText("end"))
    assert body(world).text.endswith("line end")


def test_typing_clears_and_submits_where_it_is_asked_to() -> None:
    world, phone, _ = hands()
    contact = world.state().account.threads[0].contact
    phone.open("messages")
    phone.tap(f"messages/threads/{contact}")
    field = f"messages/thread/{contact}/text"
    phone.type(field, "wrong")
    phone.type(field, "right\nhere", clear=True, submit=True)
    assert world.state().account.thread(contact).sent[-1] == "right here"
    assert phone.find(field).value == ""
    assert "focused" in phone.find(field).states


def test_a_long_text_scrolls_with_the_caret_and_by_hand() -> None:
    world, desktop = editor("\n".join(f"line {n}" for n in range(100)))
    drawn = desktop.look().screenshot
    desktop.do(Scroll("up", at=desktop.at(BODY), amount=2, unit="page"))
    assert desktop.look().screenshot != drawn
    desktop.do(TypeText("!"))
    assert BODY not in world.state().desktop.scrolls
    desktop.do(Press(("ctrl", "home")), TypeText("top "))
    assert body(world).text.startswith("top line 0")


def test_the_clipboard_of_the_phone_pastes() -> None:
    world, phone, _ = hands()
    phone.open("notes")
    phone.tap("notes/notes/new")
    phone.type("notes/edit/body", "before ")
    phone.do(Custom("set_clipboard", {"text": "after"}))
    phone.do(LongPress(phone.at("notes/edit/body")))
    phone.tap("notes/edit/body/paste")
    phone.tap("notes/edit/save")
    assert "before after" in [note.text for note in world.state().account.notes]


def test_tab_walks_through_a_window() -> None:
    world, _, desktop = hands()
    desktop.open("mail")
    desktop.tap("mail/compose")
    for id in ("mail/compose/to", "mail/compose/subject", "mail/compose/body"):
        assert world.state().desktop.focus == id
        desktop.do(TypeText(world.state().account.contacts[0].name), Press(("tab",)))
    assert world.state().desktop.focus == "mail/compose/send"
    desktop.do(Press(("shift", "tab")), Press(("tab",)), Press(("enter",)))
    assert world.state().account.folder("sent")[0].to == world.state().account.contacts[0].email
