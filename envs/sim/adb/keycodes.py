"""Android's key codes, and what each of them does on this phone.

Source: android.view.KeyEvent.
"""

from __future__ import annotations

from collections.abc import Mapping

NAMED: Mapping[str, int] = {
    **{"HOME": 3, "BACK": 4, "CALL": 5, "ENDCALL": 6},
    **{str(digit): 7 + digit for digit in range(10)},
    **{"STAR": 17, "POUND": 18, "DPAD_UP": 19, "DPAD_DOWN": 20, "DPAD_LEFT": 21, "DPAD_RIGHT": 22},
    **{"DPAD_CENTER": 23, "VOLUME_UP": 24, "VOLUME_DOWN": 25, "POWER": 26, "CAMERA": 27, "CLEAR": 28},
    **{chr(65 + letter): 29 + letter for letter in range(26)},
    **{"COMMA": 55, "PERIOD": 56, "ALT_LEFT": 57, "ALT_RIGHT": 58, "SHIFT_LEFT": 59, "SHIFT_RIGHT": 60, "TAB": 61},
    **{"SPACE": 62, "SYM": 63, "EXPLORER": 64, "ENVELOPE": 65, "ENTER": 66, "DEL": 67, "GRAVE": 68, "MINUS": 69},
    **{"EQUALS": 70, "LEFT_BRACKET": 71, "RIGHT_BRACKET": 72, "BACKSLASH": 73, "SEMICOLON": 74, "APOSTROPHE": 75},
    **{"SLASH": 76, "AT": 77, "NUM": 78, "HEADSETHOOK": 79, "PLUS": 81, "MENU": 82, "NOTIFICATION": 83, "SEARCH": 84},
    **{"MEDIA_PLAY_PAUSE": 85, "MEDIA_STOP": 86, "MEDIA_NEXT": 87, "MEDIA_PREVIOUS": 88, "MUTE": 91, "PAGE_UP": 92},
    **{"PAGE_DOWN": 93, "ESCAPE": 111, "FORWARD_DEL": 112, "CTRL_LEFT": 113, "CTRL_RIGHT": 114, "CAPS_LOCK": 115},
    **{"META_LEFT": 117, "META_RIGHT": 118, "MOVE_HOME": 122, "MOVE_END": 123, "INSERT": 124, "FORWARD": 125},
    **{"MEDIA_PLAY": 126, "MEDIA_PAUSE": 127, "F1": 131, "NUMPAD_ENTER": 160, "VOLUME_MUTE": 164, "APP_SWITCH": 187},
    **{"LANGUAGE_SWITCH": 204, "SLEEP": 223, "WAKEUP": 224, "SOFT_SLEEP": 276, "CUT": 277, "COPY": 278, "PASTE": 279},
}
LAST = 316
"""The highest key code of Android 14; others are refused."""

KEYS: Mapping[int, str] = {
    **{NAMED[str(digit)]: str(digit) for digit in range(10)},
    **{NAMED[chr(65 + letter)]: chr(97 + letter) for letter in range(26)},
    **{17: "*", 18: "#", 19: "up", 20: "down", 21: "left", 22: "right", 23: "enter", 55: ",", 56: ".", 61: "tab"},
    **{62: "space", 66: "enter", 67: "backspace", 68: "`", 69: "-", 70: "=", 71: "[", 72: "]", 73: "\\", 74: ";"},
    **{75: "'", 76: "/", 77: "@", 81: "+", 92: "pageup", 93: "pagedown", 111: "esc", 112: "delete", 122: "home"},
    **{123: "end", 160: "enter"},
}
"""Keys of the keyboard, by code, under the names of this project."""
MODIFIERS: Mapping[int, str] = {
    **{57: "alt", 58: "alt", 59: "shift", 60: "shift", 113: "ctrl", 114: "ctrl", 117: "meta", 118: "meta"},
}


def key_code(text: str) -> int | None:
    """The code of a key by its number or name, with or without KEYCODE_; None if there is no such key."""
    name = text.strip().upper().removeprefix("KEYCODE_")
    if text.strip().isdecimal() and len(text) < 6:
        code = int(text)
        return code if 0 <= code <= LAST else None
    return NAMED.get(name)
