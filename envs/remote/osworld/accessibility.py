"""The accessibility trees of OSWorld's and WindowsAgentArena's servers, as elements.

The XML comes from a machine that agents operate, and may be anything: it is read without entities or document types,
and up to a size, a depth and a number of nodes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from omnipilot.envs.desktop.accessibility.roles import ARIA, GROUP, NAMED_ONLY, SECRET, WRITTEN
from omnipilot.envs.types.geometry import Box, Size
from omnipilot.envs.types.observation import Element, Elements

DEEPEST = 200
MOST_NODES = 20_000
LONGEST_NAME = 500
LONGEST_VALUE = 10_000
_SPACE = " "
_PAIR = re.compile(r"\(\s*(-?\d{1,7})\s*,\s*(-?\d{1,7})\s*\)")
_NAMESPACE = re.compile(
    r"https://accessibility\.(?:ubuntu|windows|macos)\.example\.org/ns/([a-z/]+)|uri:deskat:([a-z.]+)\.at-spi\.gnome\.org"
)
_WINDOWS = {
    "edit": "textbox",
    "listitem": "listitem",
    "menuitem": "menuitem",
    "tabitem": "tab",
    "treeitem": "treeitem",
    "hyperlink": "link",
    "checkbox": "checkbox",
    "radiobutton": "radio",
    "combobox": "combobox",
    "dataitem": "row",
    "headeritem": "columnheader",
    "document": "document",
    "spinner": "spinbutton",
    "progressbar": "progressbar",
    "scrollbar": "scrollbar",
    "toolbar": "toolbar",
    "tooltip": "tooltip",
    "splitbutton": "button",
    "text field": "textbox",
    "text area": "textbox",
    "search text field": "searchbox",
    "pop up button": "combobox",
    "static text": "text",
    "tab": "tab",
}
"""Names of roles under Windows and macOS → ours, where they are not those of AT-SPI."""
_STATES = {
    "focused": "focused",
    "keyboard_focused": "focused",
    "has_keyboard_focus": "focused",
    "checked": "checked",
    "pressed": "pressed",
    "selected": "selected",
    "expanded": "expanded",
    "collapsed": "collapsed",
    "modal": "modal",
    "required": "required",
    "indeterminate": "mixed",
    "axfocused": "focused",
    "axselected": "selected",
}
_NEVER_COVERED = ("gnome-shell",)
"""Applications that draw above every window."""


class BadTree(ValueError):
    """The text is no accessibility tree, or one that is refused."""


@dataclass(slots=True)
class _Node:
    tag: str
    depth: int
    window: int
    application: str
    attributes: dict[str, str]
    text: list[str] = field(default_factory=list)

    def state(self, name: str) -> str:
        return self.attributes.get(f"state:{name}", "").lower()


@dataclass(frozen=True, slots=True)
class AccessibilityTree:
    """What a tree tells.

    Attributes:
        elements: those on the screen; later ones are drawn on top.
        application, title: of the active window, "" where the tree does not tell.
    """

    elements: Elements
    application: str = ""
    title: str = ""


def read_tree(xml: str, screen: Size, cap: int = 0) -> AccessibilityTree:
    """Read the answer to `/accessibility`.

    Args:
        screen: in the units of the tree's coordinates.
        cap: maximum number of elements; 0 for all.

    Raises:
        BadTree: it is no such tree, or it has a document type, entities, or more depth than a screen has.
    """
    nodes, cut = _parse(xml)
    active = next((node for node in nodes if node.depth in (1, 2) and node.state("active") == "true"), None)
    shown = [(node, box) for node in nodes if (box := _box(node, screen)) is not None and _showing(node)]
    if active is not None and (cover := _box(active, screen)) is not None:
        # What lies behind the active window still counts as showing.
        shown = [
            (node, box)
            for node, box in shown
            if node.window == active.window or node.application in _NEVER_COVERED or not _inside(box, cover)
        ]
        shown.sort(key=lambda pair: pair[0].window == active.window)
    found = [element for node, box in shown if (element := _element(node, box)) is not None]
    detail = f"only the first {MOST_NODES} nodes were read" if cut else ""
    if cap and len(found) > cap:
        found, detail = found[-cap:], f"{len(found)} elements, {cap} are listed"
    title = active.attributes.get("name", "")[:LONGEST_NAME] if active else ""
    return AccessibilityTree(Elements(tuple(found), bool(detail), detail), active.application if active else "", title)


def _parse(xml: str) -> tuple[list[_Node], bool]:
    parser = expat.ParserCreate(namespace_separator=_SPACE)
    parser.buffer_text = True
    nodes: list[_Node] = []
    above: list[_Node | None] = []
    cut = False

    def refuse(*_: Any) -> None:
        raise BadTree("a document type or an entity is refused")

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal cut
        if len(above) >= DEEPEST:
            raise BadTree(f"nested more than {DEEPEST} deep")
        if len(nodes) >= MOST_NODES:
            cut = True
            above.append(None)
            return
        told = {key: value for name, value in attributes.items() if (key := _key(name))}
        depth = len(above)
        parent = above[-1] if above else None
        node = _Node(_local(tag), depth, parent.window if parent else -1, parent.application if parent else "", told)
        if node.tag == "application":
            node.application = told.get("name", "")[:LONGEST_NAME]
        elif parent is not None and (depth == 1 or parent.tag == "application"):
            node.window = len(nodes)
        nodes.append(node)
        above.append(node)

    def end(_tag: str) -> None:
        above.pop()

    def text(data: str) -> None:
        if above and above[-1] is not None and sum(map(len, above[-1].text)) < LONGEST_VALUE:
            above[-1].text.append(data[:LONGEST_VALUE])

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    try:
        parser.Parse(xml.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise BadTree(f"it is no XML: {error}") from None
    return nodes, cut


def _local(name: str) -> str:
    return name.rpartition(_SPACE)[2].lower().replace("-", " ").replace("_", " ")


def _key(name: str) -> str:
    """An attribute's name with the kind of its namespace, such as "state:focused"; "" for one of another namespace."""
    space, _, local = name.rpartition(_SPACE)
    if not space:
        return local
    match = _NAMESPACE.fullmatch(space)
    return f"{match[1] or match[2]}:{local.lower()}" if match else ""


def _showing(node: _Node) -> bool:
    if node.state("minimized") == "true":
        return False
    return all(node.state(name) != "false" for name in ("showing", "visible"))


def _box(node: _Node, screen: Size) -> Box | None:
    corner = _PAIR.fullmatch(node.attributes.get("component:screencoord", ""))
    size = _PAIR.fullmatch(node.attributes.get("component:size", ""))
    if corner is None or size is None:
        return None
    left, top, width, height = (int(part) for part in (*corner.groups(), *size.groups()))
    right, bottom = min(left + width, screen.width), min(top + height, screen.height)
    left, top = max(left, 0), max(top, 0)
    if right <= left or bottom <= top:
        return None
    return Box(left / screen.width, top / screen.height, right / screen.width, bottom / screen.height)


def _inside(box: Box, cover: Box) -> bool:
    return box.left >= cover.left and box.top >= cover.top and box.right <= cover.right and box.bottom <= cover.bottom


def _element(node: _Node, box: Box) -> Element | None:
    role = _WINDOWS.get(node.tag) or ARIA.get(node.tag, GROUP)
    told = node.attributes
    text = "".join(node.text).strip()
    name = (told.get("name") or told.get("attributes:axtitle") or told.get("attributes:axdescription") or "").strip()
    written = node.tag in WRITTEN or role in ("textbox", "searchbox")
    if not name and text and not written:
        name, text = text, ""
    if role in NAMED_ONLY and not name:
        return None
    value = "" if node.tag in SECRET else (text if written else "") or told.get("value:value", "")
    states = {word for state, word in _STATES.items() if node.state(state) == "true"}
    if any(node.state(state) == "false" for state in ("enabled", "sensitive", "axenabled")):
        states.add("disabled")
    # AT-SPI lists only the states that hold.
    elif node.state("showing") == "true" and node.state("enabled") != "true" and node.state("sensitive") != "true":
        states |= {"disabled"} if role not in ("text", "window", GROUP) else set()
    return Element(role, name[:LONGEST_NAME], box, frozenset(states), value=value[:LONGEST_VALUE])
