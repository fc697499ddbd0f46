"""Names of keys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import key_names

from omnipilot.envs.types.keys import ALIASES, NAMED, canonical, parse_combination


@given(st.text(max_size=12))
def test_a_name_is_refused_or_becomes_canonical_once_and_for_all(name: str) -> None:
    try:
        key = canonical(name)
    except ValueError:
        return
    assert canonical(key) == key
    assert key in NAMED or len(key) == 1


@pytest.mark.parametrize("alias", sorted(ALIASES))
def test_every_alias_is_a_key_in_either_case(alias: str) -> None:
    assert canonical(alias) == canonical(alias.upper()) == ALIASES[alias]
    assert canonical(ALIASES[alias]) == ALIASES[alias]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("ctrl+shift+t", ("ctrl", "shift", "t")),
        ("Ctrl C", ("ctrl", "c")),
        ("ctrl-c", ("ctrl", "c")),
        ("Control+Page_Down", ("ctrl", "pagedown")),
        ("cmd+space", ("meta", "space")),
        ("-", ("-",)),
        ("+", ("+",)),
        (" ", ("space",)),
        ("ctrl++", ("ctrl", "+")),
        ("ctrl+-", ("ctrl", "-")),
        ("ctrl -", ("ctrl", "-")),
        ("ctrl--", ("ctrl", "-")),
        ("page_down", ("pagedown",)),
        ("F5", ("f5",)),
        ("Return", ("enter",)),
        ("ctrl +", ("ctrl", "+")),
        ("ctrl + +", ("ctrl", "+")),
        ("ctrl + c", ("ctrl", "c")),
        ("Right Control", ("ctrl",)),
        ("left-shift", ("shift",)),
        ("shift left", ("shift", "left")),
        ("Up Arrow", ("up",)),
        ("ctrl Page Down", ("ctrl", "pagedown")),
        ("ctrl+Page Down", ("ctrl", "pagedown")),
        ("Lmenu", ("alt",)),
        ("ctrl+slash", ("ctrl", "/")),
        ("shift+ISO_Left_Tab", ("shift", "tab")),
    ],
)
def test_combinations(text: str, keys: tuple[str, ...]) -> None:
    assert parse_combination(text) == keys


@given(st.lists(key_names, min_size=1, max_size=4))
def test_a_joined_combination_comes_apart_again(keys: list[str]) -> None:
    expected = tuple(canonical(key) for key in keys)
    if "+" in keys[:-1] or keys[0] == "+":
        return
    assert parse_combination("+".join(keys)) == expected


@pytest.mark.parametrize("name", ["", "ctrlx", "f25", "f0", "\x00", "ctrl+nothing"])
def test_what_is_no_key_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="unknown key"):
        parse_combination(name)


@pytest.mark.parametrize("text", ["ctrl+", "+ctrl", "ctrl+ ", "ctrl  c"])
def test_a_combination_that_lacks_a_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="lacks a key"):
        parse_combination(text)


PYAUTOGUI = """
add alt altleft altright apps backspace capslock command ctrl ctrlleft ctrlright decimal del delete divide down end
enter esc escape f1 f24 home insert left multiply num0 num1 num9 numlock option optionleft optionright pagedown pageup
pause pgdn pgup print printscreen prntscrn prtsc prtscr return right scrolllock separator shift shiftleft shiftright
space subtract tab up win winleft winright
""".split()
"""Of PyAutoGUI's KEYBOARD_KEYS those of a usual keyboard; keys of media and input methods have no name here."""
KEYSYMS = """
slash period comma minus plus equal semicolon apostrophe grave bracketleft bracketright backslash Print Menu
ISO_Left_Tab Num_Lock Scroll_Lock Pause KP_Enter KP_Add KP_5 KP_Page_Up Super_R Alt_R Hyper_L Page_Up Prior Escape
""".split()
"""Names of X's keysymdef.h."""


@pytest.mark.parametrize("name", [*PYAUTOGUI, *KEYSYMS, "Lcontrol", "Rmenu", "Left Arrow", "Num Lock"])
def test_documented_names_are_one_key(name: str) -> None:
    assert parse_combination(name) == (canonical(name),)
