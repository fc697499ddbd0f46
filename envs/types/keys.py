"""Canonical key names, and their aliases in models and libraries."""

from __future__ import annotations

NAMED = frozenset(
    "ctrl alt shift meta enter esc tab space backspace delete insert home end pageup pagedown up down left right "
    "printscreen capslock".split()
) | frozenset(f"f{n}" for n in range(1, 25))

ALIASES = {
    **dict.fromkeys(("control", "lcontrol", "rcontrol", "ctrl_l", "ctrl_r", "lctrl", "rctrl"), "ctrl"),
    **dict.fromkeys(("lshift", "rshift", "shift_l", "shift_r"), "shift"),
    **dict.fromkeys(("option", "alt_l", "alt_r", "lalt", "ralt"), "alt"),
    **dict.fromkeys(("cmd", "command", "super", "super_l", "super_r", "win", "windows", "lwin"), "meta"),
    **dict.fromkeys(("return", "kp_enter", "newline", "\n", "\r"), "enter"),
    **dict.fromkeys(("page_down", "pgdn", "next"), "pagedown"),
    **dict.fromkeys(("page_up", "pgup", "prior"), "pageup"),
    **{f"arrow{side}": side for side in ("up", "down", "left", "right")},
    **{f"arrow_{side}": side for side in ("up", "down", "left", "right")},
    "escape": "esc",
    "del": "delete",
    "ins": "insert",
    "back_space": "backspace",
    "caps_lock": "capslock",
    "print_screen": "printscreen",
    "prtsc": "printscreen",
    "\t": "tab",
    " ": "space",
    "spacebar": "space",
    "minus": "-",
    "plus": "+",
}


def canonical(name: str) -> str:
    """The canonical name of one key: a named key, or a single lower-case character.

    Raises:
        ValueError: the key is unknown.
    """
    lower = name.lower()
    lower = ALIASES.get(lower, lower)
    if lower in NAMED or (len(lower) == 1 and lower.isprintable()):
        return lower
    raise ValueError(f"unknown key {name!r}; use one of {', '.join(sorted(NAMED))} or a single character")


def combination(text: str) -> tuple[str, ...]:
    """Split one combination such as "ctrl+shift+t", "ctrl c" or "ctrl-c" into canonical keys.

    A string that is itself a key ("-", "+", "page_down", " ") is never split.

    Raises:
        ValueError: a part is not a key.
    """
    try:
        return (canonical(text),)
    except ValueError:
        pass
    for separator in ("+", " ", "-"):
        if separator in text:
            # A trailing separator is the key itself: "ctrl++" is Ctrl and plus.
            body, last = (text[:-2], (separator,)) if text.endswith(separator * 2) else (text, ())
            parts = [part.strip() for part in body.split(separator)]
            if not all(parts):
                raise ValueError(f"the combination {text!r} lacks a key next to {separator!r}")
            return tuple(map(canonical, parts)) + last
    return (canonical(text),)
