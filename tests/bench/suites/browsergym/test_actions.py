"""Each verb as BrowserGym's actions, by coordinates and by ids of elements."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.suites.browsergym.actions import ActionWriter, Addressing
from omnipilot.envs import (
    ActionRejected,
    Box,
    Browser,
    Click,
    Drag,
    Element,
    KeyDown,
    LongPress,
    MouseMove,
    MouseUp,
    OpenApp,
    OpenUrl,
    Point,
    Press,
    Scroll,
    Select,
    Size,
    TypeText,
)

SIZE = Size(200, 100)
PAGE = [
    Element("text", "all", Box(0, 0, 1, 0.6), id="1"),
    Element("button", "Save", Box(0.1, 0.1, 0.3, 0.3), id="a12"),
    Element("textbox", "Note", Box(0.5, 0.1, 0.9, 0.3), id="13", value="old "),
    Element("combobox", "Colour", Box(0.5, 0.4, 0.9, 0.5), id="14"),
]
BUTTON, FIELD, LIST, BARE = Point(0.2, 0.2), Point(0.7, 0.2), Point(0.7, 0.45), Point(0.5, 0.9)


def write(action: Any, addressing: Addressing = "coord", pointer: Point | None = None) -> str:
    return ActionWriter(addressing, SIZE, PAGE, pointer).write(action)


@pytest.mark.parametrize(
    ("action", "coord", "bid"),
    [
        (Click(BUTTON), "mouse_click(40, 20)", "click('a12', 'left', [])"),
        (Click(BUTTON, count=2), "mouse_dblclick(40, 20)", "dblclick('a12', 'left', [])"),
        (
            Click(BUTTON, button="right", modifiers=("ctrl",)),
            "keyboard_down('Control')\nmouse_click(40, 20, 'right')\nkeyboard_up('Control')",
            "click('a12', 'right', ['Control'])",
        ),
        (Click(BARE), "mouse_click(100, 90)", "mouse_click(100, 90)"),
        (MouseMove(BUTTON), "mouse_move(40, 20)", "hover('a12')"),
        (MouseUp(), "mouse_up(20, 30)", "mouse_up(20, 30)"),
        (LongPress(BUTTON, 0.5), "mouse_down(40, 20)\nnoop(500)\nmouse_up(40, 20)", None),
        (Drag(FIELD, BUTTON), "mouse_drag_and_drop(40, 20, 140, 20)", "drag_and_drop('a12', '13')"),
        (
            Drag(FIELD, BUTTON, (BARE,)),
            "mouse_down(40, 20)\nmouse_move(100, 90)\nmouse_move(140, 20)\nmouse_up(140, 20)",
            None,
        ),
        (Scroll("down", BUTTON, 2), "scroll_at(40, 20, 0, 200)", "scroll(0, 200)"),
        (Scroll("left", None, 1, "page"), "scroll(-200, 0)", "scroll(-200, 0)"),
        (
            TypeText("new", FIELD, clear=True, submit=True),
            "mouse_click(140, 20)\nkeyboard_press('ControlOrMeta+a')\nkeyboard_press('Delete')\n"
            "keyboard_type('new')\nkeyboard_press('Enter')",
            "fill('13', 'new')\nkeyboard_press('Enter')",
        ),
        (TypeText("new", FIELD), "mouse_click(140, 20)\nkeyboard_type('new')", "fill('13', 'old new')"),
        (Press(("ctrl", "c"), 2), "keyboard_press('Control+c')\nkeyboard_press('Control+c')", None),
        (Press(("shift",), seconds=0.2), "keyboard_down('Shift')\nnoop(200)\nkeyboard_up('Shift')", None),
        (KeyDown(("ctrl", "pagedown")), "keyboard_down('Control')\nkeyboard_down('PageDown')", None),
        (Select(LIST, "red"), "select_option('14', 'red')", "select_option('14', 'red')"),
        (OpenUrl("https://example.org/?q='"), 'goto("https://example.org/?q=\'")', None),
        (Browser("back"), "go_back()", None),
        (Browser("reload"), "keyboard_press('F5')", None),
        (Browser("focus_tab", 2), "tab_focus(2)", None),
        (Browser("close_tab", 1), "tab_focus(1)\ntab_close()", None),
        (Browser("close_tab"), "tab_close()", None),
        (Browser("new_tab"), "new_tab()", None),
    ],
)
def test_a_verb(action: Any, coord: str, bid: str | None) -> None:
    pointer = Point(0.1, 0.3)
    assert write(action, "coord", pointer) == coord
    assert bid is None or write(action, "bid", pointer) == bid


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Click(BUTTON, count=3), "once or twice"),
        (Select(BUTTON, "red"), "no drop-down list"),
        (OpenApp("Notes"), "no action for open_app"),
        (TypeText(""), "nothing to type"),
        (Press(("ü",)), "no key"),
        (Click(BUTTON, button="back"), "no button"),
    ],
)
def test_what_it_cannot_do_is_refused(action: Any, said: str) -> None:
    with pytest.raises(ActionRejected, match=said):
        write(action)


@given(st.text(min_size=1))
def test_a_text_is_never_code(text: str) -> None:
    (line,) = write(TypeText(text)).splitlines()
    call = ast.parse(line, mode="eval").body
    assert isinstance(call, ast.Call) and [ast.literal_eval(one) for one in call.args] == [text]
