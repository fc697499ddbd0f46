"""Android's key codes, and texts cut into what `input text` can type."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from omnipilot.envs.types.errors import ActionRejected

SYSTEM = {"back": 4, "home": 3, "recents": 187, "menu": 82, "power": 26, "volume_up": 24, "volume_down": 25}
"""System keys of the verb `system` → KEYCODE_*."""
WAKE, ENTER, DELETE, TAB, MOVE_END, CTRL, A = 224, 66, 67, 61, 123, 113, 29

CODES = {
    "ctrl": 113,
    "alt": 57,
    "shift": 59,
    "meta": 117,
    "enter": ENTER,
    "esc": 111,
    "tab": TAB,
    "space": 62,
    "backspace": DELETE,
    "delete": 112,
    "insert": 124,
    "home": 122,
    "end": MOVE_END,
    "pageup": 92,
    "pagedown": 93,
    "up": 19,
    "down": 20,
    "left": 21,
    "right": 22,
    "printscreen": 120,
    "capslock": 115,
    "numlock": 143,
    "scrolllock": 116,
    "pause": 121,
    "menu": SYSTEM["menu"],
    **{f"f{n}": 130 + n for n in range(1, 13)},
    **{chr(ord("a") + n): A + n for n in range(26)},
    **{str(n): 7 + n for n in range(10)},
    ",": 55,
    ".": 56,
    "`": 68,
    "-": 69,
    "=": 70,
    "[": 71,
    "]": 72,
    "\\": 73,
    ";": 74,
    "'": 75,
    "/": 76,
    "@": 77,
    "+": 81,
    "*": 17,
    "#": 18,
}
"""Canonical keys → KEYCODE_*, from Android's `KeyEvent`."""

LONGEST = 40
"""Maximum number of characters of one `input text`: longer ones arrive out of order on slow phones."""

_PIECES = re.compile(r"\n|\t|[^\n\t]+")
_WORDS = re.compile(r" *[^ ]+ *| +")


def key_code(name: str) -> int:
    """The code of a canonical key.

    Raises:
        ActionRejected: Android has no such key.
    """
    if name not in CODES:
        raise ActionRejected(f"this phone has no key {name!r}; to write a character, type it as text")
    return CODES[name]


def typeable(text: str) -> bool:
    """Whether `input text` and the keys for line breaks and tabs can type a text: ASCII that can be printed."""
    return all(" " <= c <= "~" or c in "\n\t" for c in text)


def typing_commands(text: str) -> Iterator[str]:
    """The shell commands that type an ASCII text, in order.

    Blanks are written `%s`, so a percent sign before an s would become one: the two are typed by themselves. Line
    breaks and tabs are keys.
    """
    for piece in _PIECES.findall(text):
        if piece == "\n":
            yield f"input keyevent {ENTER}"
        elif piece == "\t":
            yield f"input keyevent {TAB}"
        else:
            for part in _parts(piece):
                yield f"input text {shlex.quote(part.replace(' ', '%s'))}"


def _parts(text: str) -> Iterator[str]:
    """A text without line breaks in parts of at most `LONGEST` characters, cut between words where there are any, and
    within each `%s`."""
    for safe in re.split(r"(?<=%)(?=s)", text):
        part = ""
        for word in _WORDS.findall(safe):
            if part and len(part) + len(word) > LONGEST:
                yield part
                part = ""
            part += word
            while len(part) > LONGEST:
                yield part[:LONGEST]
                part = part[LONGEST:]
        if part:
            yield part
