"""Instructions for pointing: name, look and place of a target, or its function.

A basic instruction is unambiguous: if the screen has others of the same name and kind, it gives the position in reading
order (rows from the top, each from the left).
"""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.envs import Box, Element
from omnipilot.envs.types import ORDINAL_WORDS, fold, roles_of

WORDS: dict[str, str] = {
    "button": "button",
    "listitem": "item",
    "treeitem": "tree item",
    "row": "table row",
    "link": "link",
    "tab": "tab",
    "checkbox": "check box",
    "radio": "radio button",
    "switch": "switch",
    "combobox": "dropdown list",
    "textbox": "text field",
    "searchbox": "search field",
    "slider": "slider",
    "menuitem": "menu item",
    "option": "option",
}
"""Role → the word for it. What has another role is no target."""
_LONGEST = 60


def nameable(element: Element) -> bool:
    """Whether an element can be identified by its name and kind."""
    plain = not any(mark in element.name for mark in "\"“”'‘’\n")
    return element.role in WORDS and bool(fold(element.name)) and len(element.name) <= _LONGEST and plain


def basic(element: Element, elements: Sequence[Element], look: str) -> str:
    """Name, look and place of an element among all on the screen; "" if words cannot identify it."""
    word = WORDS[element.role]
    same = [other for other in elements if other.role in roles_of(word) and fold(other.name) == fold(element.name)]
    order = ""
    if len(same) > 1:
        number = sorted(same, key=lambda other: reading_order(other.box)).index(element)
        if number >= len(ORDINAL_WORDS):
            return ""
        order = f"{ORDINAL_WORDS[number]} "
    return ", ".join(filter(None, (f'the {order}"{element.name}" {word}', look, region(element.box))))


def reading_order(box: Box) -> tuple[int, float]:
    """Sort key for places: rows of a hundredth of the screen, each from the left."""
    return round(box.center.y * 100), box.left


def region(box: Box) -> str:
    """The region of the screen that contains a box, in words."""
    middle = box.center
    across = "left" if middle.x < 1 / 3 else "right" if middle.x > 2 / 3 else ""
    down = "top" if middle.y < 1 / 3 else "bottom" if middle.y > 2 / 3 else ""
    if not across and not down:
        return "in the middle of the screen"
    return f"at the {' '.join(filter(None, (down, across)))} of the screen"


def describe_function(element: Element, functions: dict[str, str], beside: str) -> str:
    """The function of an element, without kind, look and place; "" if unknown.

    Args:
        functions: what buttons do, by name.
        beside: the text of its row, "" for none.
    """
    name, row = element.name, f" for {beside}" if beside else ""
    match element.role:
        case "listitem" | "treeitem" | "row" | "link":
            return f'what brings up "{name}" when it is pressed'
        case "switch" | "checkbox":
            return f'what turns "{name}" {"off" if "checked" in element.states else "on"}'
        case "textbox" | "searchbox":
            return f'what takes the text that is meant for "{name}"'
        case "tab":
            return f'what shows the part of the application that is called "{name}"'
        case "combobox":
            return f'what lets one choose another value for "{name}"'
        case "slider":
            return f'what changes "{name}" when it is dragged'
        case "radio" | "option" | "menuitem":
            return f'what chooses "{name}" among the alternatives'
    for verb, function in (("Close ", "makes the {} window go away"), ("Minimise ", "puts the {} window aside")):
        if name.startswith(verb):
            return f"what {function.format(name.removeprefix(verb))}"
    function = functions.get(name, "")
    return f"what {function}{row}" if function else ""
