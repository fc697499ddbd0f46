"""Names of keys and characters as keysyms (X Window System Protocol, appendix A)."""

from __future__ import annotations

from omnipilot.envs.types.errors import ActionRejected

NAMES = {
    "ctrl": "Control_L",
    "alt": "Alt_L",
    "shift": "Shift_L",
    "meta": "Super_L",
    "enter": "Return",
    "esc": "Escape",
    "tab": "Tab",
    "space": "space",
    "backspace": "BackSpace",
    "delete": "Delete",
    "insert": "Insert",
    "home": "Home",
    "end": "End",
    "pageup": "Prior",
    "pagedown": "Next",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "printscreen": "Print",
    "capslock": "Caps_Lock",
    **{f"f{n}": f"F{n}" for n in range(1, 25)},
    "menu": "Menu",
    "numlock": "Num_Lock",
    "scrolllock": "Scroll_Lock",
    "pause": "Pause",
}
"""Canonical key names → names of keysyms; `menu` is the key beside the right Ctrl."""
MODIFIERS = frozenset({"ctrl", "alt", "shift", "meta"})
_CONTROLS = {"\n": "Return", "\r": "Return", "\t": "Tab", "\b": "BackSpace", "\x1b": "Escape"}
_UNICODE = 0x01000000


def named_keysym(name: str) -> int:
    """The keysym of a canonical key name."""
    from Xlib import XK

    return int(XK.string_to_keysym(NAMES[name])) if name in NAMES else character_keysym(name)


def character_keysym(character: str) -> int:
    """The keysym of a character: Latin-1 as it is, others by their code point; line end and tab are keys.

    Raises:
        ActionRejected: it is a control character that no key stands for.
    """
    from Xlib import XK

    if character in _CONTROLS:
        return int(XK.string_to_keysym(_CONTROLS[character]))
    code = ord(character)
    if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF:
        return code
    if code < 0xA0 or 0xD800 <= code <= 0xDFFF:
        raise ActionRejected(f"no key types the character {character!r}; leave it out of the text")
    return _UNICODE | code
