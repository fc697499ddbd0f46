"""OmniGUI's thirteen actions and the words by which its evaluator knows them (OmniGUI, Table 2)."""

from __future__ import annotations

from enum import IntEnum


class Primitive(IntEnum):
    """One of the thirteen actions, by its number in the data."""

    NONE = -1
    TAP = 0
    DOUBLE_TAP = 1
    LONG_PRESS = 2
    SWIPE_UP = 3
    SWIPE_DOWN = 4
    SWIPE_LEFT = 5
    SWIPE_RIGHT = 6
    INPUT = 7
    BACK = 8
    HOME = 9
    TASK_COMPLETE = 10
    TASK_IMPOSSIBLE = 11


PRESSES = frozenset((Primitive.TAP, Primitive.LONG_PRESS))
SWIPES = frozenset((Primitive.SWIPE_UP, Primitive.SWIPE_DOWN, Primitive.SWIPE_LEFT, Primitive.SWIPE_RIGHT))
BARE = frozenset((Primitive.BACK, Primitive.HOME, Primitive.TASK_COMPLETE, Primitive.TASK_IMPOSSIBLE))
"""Without parameters, and matched by their kind alone."""
UNMATCHED = frozenset((Primitive.NONE, Primitive.DOUBLE_TAP))
"""For which the released evaluator has no rule: a step of one never is an exact match there."""

_WORDS = {
    Primitive.NONE: "none, wait, waiting, idle, no_action, no action",
    Primitive.TAP: "tap, click, single_tap, single_click, touch, press",
    Primitive.DOUBLE_TAP: "double_tap, double_click, doubletap, doubleclick, double tap, double click",
    Primitive.LONG_PRESS: "long_press, longpress, long press, long_click, longclick, long click, hold",
    Primitive.INPUT: "input, type, text, enter_text, input_text, write",
    Primitive.BACK: "back, go_back, press_back, navigate_back",
    Primitive.HOME: "home, go_home, press_home",
    Primitive.TASK_COMPLETE: "task_complete, complete, done, finish, finished, success",
    Primitive.TASK_IMPOSSIBLE: "task_impossible, impossible, cannot_complete, failed, failure",
}
ALIASES: dict[str, Primitive] = {
    **{word: action for action, words in _WORDS.items() for word in words.split(", ")},
    **{
        f"{verb}{space}{swipe.name[6:].lower()}": swipe
        for swipe in SWIPES
        for verb in ("swipe", "scroll")
        for space in ("_", "", " ")
    },
    **{str(action.value): action for action in Primitive},
}
"""From lower-case words, and from numbers written as text. A bare `swipe` or `scroll` is none of them."""
_DIRECTIONLESS = frozenset(("swipe", "scroll"))


def find_action(word: str) -> Primitive | None:
    """The action for a word, ignoring case, underscores and spaces; None for an unknown one."""
    word = word.lower().strip()
    for spelling in (word, word.replace("_", ""), word.replace(" ", "_")):
        if spelling in _DIRECTIONLESS:
            return None
        if spelling in ALIASES:
            return ALIASES[spelling]
    return None


def directionless(word: object) -> bool:
    """Whether a word means swipe or scroll without a direction."""
    return isinstance(word, str) and word.lower().strip() in _DIRECTIONLESS


def swipe_towards(start: tuple[int, int], end: tuple[int, int]) -> Primitive:
    """The direction of the swipe between two places, by the longer axis; a tie is vertical."""
    across, down = end[0] - start[0], end[1] - start[1]
    if abs(across) > abs(down):
        return Primitive.SWIPE_RIGHT if across > 0 else Primitive.SWIPE_LEFT
    return Primitive.SWIPE_DOWN if down > 0 else Primitive.SWIPE_UP
