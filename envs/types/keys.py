"""Canonical key names, and their aliases in models and libraries."""

from __future__ import annotations

NAMED = frozenset(
    "ctrl alt shift meta enter esc tab space backspace delete insert home end pageup pagedown up down left right "
    "printscreen capslock numlock scrolllock pause menu".split()
) | frozenset(f"f{n}" for n in range(1, 25))

_SIDES = ("left", "right")
_MODIFIERS = {
    **dict.fromkeys(("control", "ctrl", "ctl"), "ctrl"),
    "shift": "shift",
    **dict.fromkeys(("alt", "option"), "alt"),
    **dict.fromkeys(("cmd", "command", "super", "win", "windows", "meta", "hyper"), "meta"),
}
"""Modifiers; every one may carry a side: `lctrl`, `ctrl_l`, `ctrlleft`, `Right Control`."""
_SIGNS = {
    "exclam": "!",
    "quotedbl": '"',
    "numbersign": "#",
    "dollar": "$",
    "percent": "%",
    "ampersand": "&",
    "apostrophe": "'",
    "quoteright": "'",
    "parenleft": "(",
    "parenright": ")",
    "asterisk": "*",
    "plus": "+",
    "comma": ",",
    "minus": "-",
    "hyphen": "-",
    "period": ".",
    "dot": ".",
    "slash": "/",
    "colon": ":",
    "semicolon": ";",
    "less": "<",
    "equal": "=",
    "equals": "=",
    "greater": ">",
    "question": "?",
    "at": "@",
    "bracketleft": "[",
    "backslash": "\\",
    "bracketright": "]",
    "asciicircum": "^",
    "underscore": "_",
    "grave": "`",
    "quoteleft": "`",
    "backtick": "`",
    "braceleft": "{",
    "bar": "|",
    "braceright": "}",
    "asciitilde": "~",
    "kp_add": "+",
    "kp_subtract": "-",
    "kp_multiply": "*",
    "kp_divide": "/",
    "kp_decimal": ".",
    "kp_separator": ",",
    "kp_equal": "=",
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "decimal": ".",
    "separator": ",",
}
"""X's keysyms of signs (keysymdef.h), those of the number pad, and PyAutoGUI's."""

ALIASES = {
    **dict.fromkeys(("control", "lcontrol", "rcontrol", "ctrl_l", "ctrl_r", "lctrl", "rctrl"), "ctrl"),
    **dict.fromkeys(("lshift", "rshift", "shift_l", "shift_r"), "shift"),
    **dict.fromkeys(("option", "alt_l", "alt_r", "lalt", "ralt"), "alt"),
    **dict.fromkeys(("cmd", "command", "super", "super_l", "super_r", "win", "windows", "lwin"), "meta"),
    **{
        spelled.format(name=name, side=side, s=side[0]): key
        for name, key in _MODIFIERS.items()
        for side in _SIDES
        for spelled in ("{s}{name}", "{name}_{s}", "{name}{side}", "{side}{name}")
    },
    **dict.fromkeys(("lmenu", "rmenu", "iso_level3_shift", "altgr", "alt_gr"), "alt"),
    **dict.fromkeys(("return", "kp_enter", "newline", "\n", "\r"), "enter"),
    **dict.fromkeys(("page_down", "pgdn", "pgdown", "next", "kp_next", "kp_page_down"), "pagedown"),
    **dict.fromkeys(("page_up", "pgup", "prior", "kp_prior", "kp_page_up"), "pageup"),
    **{f"arrow{way}": way for way in ("up", "down", "left", "right")},
    **{f"arrow_{way}": way for way in ("up", "down", "left", "right")},
    **{f"{way}arrow": way for way in ("up", "down", "left", "right")},
    **{f"kp_{way}": way for way in ("up", "down", "left", "right", "home", "end", "insert", "delete", "space", "tab")},
    **{f"{pad}{digit}": str(digit) for pad in ("num", "kp_", "numpad") for digit in range(10)},
    **_SIGNS,
    "escape": "esc",
    **dict.fromkeys(("del", "forward_delete"), "delete"),
    "ins": "insert",
    **dict.fromkeys(("back_space", "bksp", "\b"), "backspace"),
    "caps_lock": "capslock",
    "num_lock": "numlock",
    "scroll_lock": "scrolllock",
    "break": "pause",
    **dict.fromkeys(("print_screen", "prtsc", "prtscr", "prntscrn", "prnt_scrn", "print"), "printscreen"),
    **dict.fromkeys(("apps", "context_menu", "contextmenu"), "menu"),
    **dict.fromkeys(("iso_left_tab", "\t"), "tab"),
    " ": "space",
    **dict.fromkeys(("spacebar", "space_bar"), "space"),
}
_WORDS = {
    **{f"{side} {name}": key for name, key in _MODIFIERS.items() for side in _SIDES},
    **{words: ALIASES[words.replace(" ", "_")] for words in ("page up", "page down", "caps lock", "num lock")},
    **{words: ALIASES[words.replace(" ", "_")] for words in ("scroll lock", "print screen", "back space", "space bar")},
    **{words.format(way): way for way in ("up", "down", "left", "right") for words in ("{} arrow", "arrow {}")},
    **{f"{name} key": key for name, key in _MODIFIERS.items()},
    **{f"{pad} {digit}": str(digit) for pad in ("num", "numpad") for digit in range(10)},
    "context menu": "menu",
}
"""Names of one key that are two words: they are no combination."""


UNPRESSED = frozenset(
    "accept browserback browserfavorites browserforward browserhome browserrefresh browsersearch browserstop clear "
    "convert execute final fn hangeul hanguel hangul hanja help junja kana kanji launchapp1 launchapp2 launchmail "
    "launchmediaselect modechange nexttrack nonconvert playpause prevtrack select sleep stop volumedown volumemute "
    "volumeup yen audiomute audioplay audionext audioprev audiolowervolume audioraisevolume audiostop".split()
)
"""Keys of PyAutoGUI's table and of X that no backend presses: for media, browsers and input methods."""


def canonical(name: str) -> str:
    """The canonical name of one key: a named key, or a single lower-case character.

    Raises:
        ValueError: the key is unknown, or is one for media, browsers or input methods, which are not pressed.
    """
    lower = name.lower()
    lower = ALIASES.get(lower) or _WORDS.get(" ".join(lower.replace("-", " ").replace("_", " ").split())) or lower
    if lower in NAMED or (len(lower) == 1 and lower.isprintable()):
        return lower
    if lower.removeprefix("xf86").replace("_", "") in UNPRESSED:
        raise ValueError(
            f"{name!r} is a key for media, browsers or input methods, which cannot be pressed here; "
            "use the program's own button or shortcut"
        )
    raise ValueError(f"unknown key {name!r}; use one of {', '.join(sorted(NAMED))} or a single character")


def parse_combination(text: str) -> tuple[str, ...]:
    """Split one combination such as "ctrl+shift+t", "ctrl c" or "ctrl-c" into canonical keys.

    A string that is itself a key ("-", "+", "page_down", " ") is never split.

    Raises:
        ValueError: a part is not a key.
    """
    try:
        return (canonical(text),)
    except ValueError:
        pass
    joined = text.rstrip()
    if joined.endswith("+") and joined[:-1].endswith(" ") and joined[:-1].strip():
        # "ctrl +" is Ctrl and plus, and so is "ctrl + +".
        return (*parse_combination(joined[:-1].rstrip().removesuffix("+").rstrip()), "+")
    for separator in ("+", " ", "-"):
        if separator in text:
            # A trailing separator is the key itself: "ctrl++" is Ctrl and plus.
            body, last = (text[:-2], (separator,)) if text.endswith(separator * 2) else (text, ())
            parts = [part.strip() for part in body.split(separator)]
            if not all(parts):
                raise ValueError(f"the combination {text!r} lacks a key next to {separator!r}")
            return _each(parts) + last if separator == " " else tuple(map(canonical, parts)) + last
    return (canonical(text),)


def _each(words: list[str]) -> tuple[str, ...]:
    """The keys of words in a row; two of them may be one key: "ctrl page down"."""
    keys: list[str] = []
    at = 0
    while at < len(words):
        both = " ".join(words[at : at + 2]).lower()
        # "shift left" is Shift and an arrow; "left shift" is one key.
        step = 2 if both in _WORDS and at + 1 < len(words) else 1
        keys.append(_WORDS[both] if step == 2 else canonical(words[at]))
        at += step
    return tuple(keys)
