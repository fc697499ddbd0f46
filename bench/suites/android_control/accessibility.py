"""Reads Android's accessibility trees, as AndroidControl records them with each screenshot.

A tree is a message `AndroidAccessibilityForest` (windows of nodes) in the wire format of protocol buffers
(https://github.com/google-deepmind/android_env/tree/main/android_env/proto/a11y).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from omnipilot.bench.scoring.data.archives import gunzip
from omnipilot.bench.suites.android_control.tfrecord import read_varint
from omnipilot.envs import Box, Element, Elements, Size
from omnipilot.envs.types import read_file

VIEWS: Mapping[str, str] = {
    "Button": "button",
    "ImageButton": "button",
    "EditText": "textbox",
    "AutoCompleteTextView": "textbox",
    "CheckBox": "checkbox",
    "CheckedTextView": "checkbox",
    "Switch": "switch",
    "ToggleButton": "switch",
    "RadioButton": "radio",
    "SeekBar": "slider",
    "Spinner": "combobox",
    "TextView": "text",
    "ImageView": "image",
}
"""Role by the last part of a node's class."""


LARGEST = 64 * 2**20
"""Most bytes of a tree, unpacked."""


@dataclass(slots=True)
class _Node:
    """A node; rectangles are left, top, right and bottom in pixels."""

    id: int = 0
    rect: tuple[int, int, int, int] = (0, 0, 0, 0)
    kind: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    children: list[int] = field(default_factory=list)


_TEXTS = {4: "description", 5: "hint", 7: "text", 31: "tooltip"}
_FLAGS = {12: "checkable", 13: "checked", 14: "clickable", 15: "editable", 16: "enabled", 18: "focused"}
_FLAGS |= {22: "selected", 23: "visible"}


def read_tree(path: Path, size: Size) -> Elements:
    """The elements of a recorded screen; `path` is a forest, packed with gzip.

    They are what is visible and has a name or a function, windows from back to front, each in the order of its tree.
    A control without a name is called by the only text within it.

    Returns:
        An empty, truncated list if the file is no forest or one without windows.
    """
    try:
        return elements_of(gunzip(read_file(path), LARGEST), size)
    except (OSError, ValueError) as error:
        return Elements((), True, f"the recorded tree {path.name} cannot be read: {error}")


def elements_of(forest: bytes, size: Size) -> Elements:
    """The elements of a forest; `size` is the screenshot's, in whose pixels the nodes are placed.

    Raises:
        ValueError: the bytes are no such message.
    """
    windows: list[tuple[int, dict[int, _Node]]] = []
    for number, window in _fields(memoryview(forest)):
        if number == 1:
            parts = list(_fields(_message(window)))
            layer = next((value for key, value in parts if key == 4 and isinstance(value, int)), 0)
            trees = [_message(value) for key, value in parts if key == 11]
            nodes = [_node(_message(value)) for tree in trees for key, value in _fields(tree) if key == 1]
            windows.append((layer, {node.id: node for node in nodes}))
    windows.sort(key=lambda one: one[0])
    found = [element for _, nodes in windows for node in _in_order(nodes) for element in _element(node, nodes, size)]
    return Elements(tuple(found), not windows, "" if windows else "the recorded tree is empty")


def _in_order(nodes: Mapping[int, _Node]) -> Iterator[_Node]:
    """Parents before their children; each node once, also in a graph that is no tree."""
    inner = {child for node in nodes.values() for child in node.children}
    left = [id for id in list(nodes)[::-1] if id not in inner]
    seen: set[int] = set()
    while left:
        id = left.pop()
        if id in nodes and id not in seen:
            seen.add(id)
            yield nodes[id]
            left += reversed(nodes[id].children)


def _element(node: _Node, nodes: Mapping[int, _Node], size: Size) -> Iterable[Element]:
    left, top, right, bottom = node.rect
    box = Box.clipped(left, top, right, bottom, size) if right > left and bottom > top else None
    if box is None or "visible" not in node.flags:
        return
    role, texts = _role(node), node.texts
    field = role == "textbox"
    name = texts.get("description", "") or (texts.get("hint", "") if field else texts.get("text", ""))
    name = name or texts.get("tooltip", "") or texts.get("hint", "")
    if not name and role in ("button", "checkbox", "switch", "radio"):
        name = _only_text(node, nodes)
    if not name and role in ("text", "image", "group"):
        return
    states = node.flags & {"checked", "selected", "focused"}
    states |= set() if "enabled" in node.flags else {"disabled"}
    yield Element(role, name, box, frozenset(states), value=texts.get("text", "") if field else "")


def _role(node: _Node) -> str:
    role = VIEWS.get(node.kind.rpartition(".")[2].removeprefix("AppCompat").removeprefix("Material"), "group")
    if "editable" in node.flags:
        return "textbox"
    if role in ("text", "image", "group"):
        return "checkbox" if "checkable" in node.flags else "button" if "clickable" in node.flags else role
    return role


def _only_text(node: _Node, nodes: Mapping[int, _Node]) -> str:
    """The text within a node, if it is the only one and belongs to no other control."""
    found: list[str] = []
    left, seen = list(node.children), {node.id}
    while left:
        id = left.pop()
        one = nodes.get(id)
        if one is None or id in seen or "visible" not in one.flags:
            continue
        seen.add(id)
        if one.flags & {"clickable", "editable", "checkable"}:
            continue
        text = one.texts.get("description", "") or one.texts.get("text", "")
        found += [text] if text else []
        left += one.children
    return found[0] if len(found) == 1 else ""


def _node(data: memoryview) -> _Node:
    node = _Node()
    for key, value in _fields(data):
        if isinstance(value, int):
            if key == 1:
                node.id = value
            elif key == 25:
                node.children.append(value)
            elif key in _FLAGS and value:
                node.flags.add(_FLAGS[key])
        elif key == 2:
            sides = dict(_fields(value))
            left, top, right, bottom = (_signed(sides.get(side, 0)) for side in (1, 2, 3, 4))
            node.rect = left, top, right, bottom
        elif key == 3:
            node.kind = bytes(value).decode("utf-8", "replace")
        elif key in _TEXTS:
            node.texts[_TEXTS[key]] = bytes(value).decode("utf-8", "replace")
        elif key == 25:
            at = 0
            while at < len(value):
                child, at = read_varint(value, at)
                node.children.append(child)
    return node


def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The fields of a message: numbers, and bytes of inner messages and texts."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        if key & 7 == 0:
            value, at = read_varint(data, at)
            yield key >> 3, value
            continue
        if key & 7 == 2:
            length, at = read_varint(data, at)
        elif key & 7 in (1, 5):
            length = 8 if key & 7 == 1 else 4
        else:
            raise ValueError(f"field {key >> 3} has wire type {key & 7}")
        if length > len(data) - at:
            raise ValueError(f"field {key >> 3} claims {length} bytes, but {len(data) - at} are left")
        if key & 7 == 2:
            yield key >> 3, data[at : at + length]
        at += length


def _message(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise ValueError("a number stands where a message should be")
    return value


def _signed(value: int | memoryview) -> int:
    if not isinstance(value, int):
        raise ValueError("a message stands where a number should be")
    return value - (1 << 64) if value >> 63 else value
