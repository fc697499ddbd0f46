"""The element tree of `uiautomator dump`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from omnipilot.envs.android.apps import ORIGINS
from omnipilot.envs.android.screen import PixelMapping
from omnipilot.envs.types.observation import Element, Elements

LARGEST = 16 << 20
"""Maximum size of a dump in characters."""
MOST_NODES = 20_000
"""Maximum number of nodes of a dump; real ones have hundreds, long lists a few thousand."""
MOST_ATTRIBUTES = 25 * MOST_NODES
"""Maximum number of their attributes; real nodes have about twenty each."""

_BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
_SURROGATES = re.compile(r"&#(5[56]\d{3});&#(5[67]\d{3});")
_REFERENCE = re.compile(r"&#(x[0-9a-fA-F]+|\d+);")
_ERRORS = (
    (
        "could not get idle state",
        "idle",
        "the screen keeps moving (a video, a stopwatch, an animation), so its elements cannot be read",
    ),
    (
        "null root node",
        "empty",
        "the phone has no window whose elements could be read; it is changing, or the app keeps them to itself",
    ),
    (
        "already registered",
        "taken",
        "another program (uiautomator2, Appium) reads this phone's elements; stop it",
    ),
    ("killed", "killed", "the phone ended the reading of its elements, for lack of memory"),
)

_ROLES = {
    **dict.fromkeys(("Button", "ImageButton", "MaterialButton", "FloatingActionButton", "AppCompatButton"), "button"),
    **dict.fromkeys(("EditText", "AutoCompleteTextView", "MultiAutoCompleteTextView", "SearchAutoComplete"), "textbox"),
    **dict.fromkeys(("CheckBox",), "checkbox"),
    **dict.fromkeys(("Switch", "ToggleButton", "SwitchCompat", "CompoundButton"), "switch"),
    **dict.fromkeys(("ActionBar$Tab", "Tab"), "tab"),
    **dict.fromkeys(("SeekBar", "RatingBar"), "slider"),
    **dict.fromkeys(("ListView", "GridView", "RecyclerView", "ExpandableListView"), "list"),
    **dict.fromkeys(("ImageView", "Image", "SurfaceView", "TextureView"), "image"),
    "CheckedTextView": "option",
    "RadioButton": "radio",
    "RadioGroup": "radiogroup",
    "Spinner": "combobox",
    "ProgressBar": "progressbar",
    "TabWidget": "tablist",
    "TextView": "text",
    "WebView": "document",
    "NumberPicker": "spinbutton",
    "VideoView": "image",
}
"""Android's class, without its package → ARIA role. Tabs of Material's TabLayout say `ActionBar.Tab`, and lists to
choose from are made of CheckedTextViews."""
SYSTEM_UI = "com.android.systemui"
"""The package of the status bar and of the notification shade."""
_NOTIFICATION = re.compile(r"(?i):id/\w*(?:notification|status_bar_latest_event)\w*")
"""Resource ids of rows of the shade, of the lock screen, and of banners."""
_VALUED = frozenset({"combobox", "slider", "spinbutton", "progressbar"})
"""Roles whose text is their value where a content description names them."""


class DumpFailed(Exception):
    """`uiautomator dump` gave no tree.

    Attributes:
        kind: idle (the screen moves), empty (no window), taken (by another client), killed, or other.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(slots=True)
class UiNode:
    """One node of the tree, as uiautomator tells it.

    Attributes:
        attributes: as in the dump: "text", "content-desc", "class", "bounds", "clickable" ("true" or "false"), …
        children: in the order of the dump.
    """

    attributes: dict[str, str]
    children: list[UiNode] = field(default_factory=list)

    def flag(self, name: str) -> bool:
        """Whether an attribute is "true"."""
        return self.attributes.get(name) == "true"

    @property
    def label(self) -> str:
        """Its own words: the content description, else the text."""
        return (self.attributes.get("content-desc") or self.attributes.get("text") or "").strip()

    @property
    def operable(self) -> bool:
        """Whether it can be operated by itself."""
        return any(self.flag(name) for name in ("clickable", "long-clickable", "checkable")) or self.role in (
            "textbox",
            "slider",
            "combobox",
        )

    @property
    def container(self) -> bool:
        """Whether its class only holds others."""
        return self.attributes.get("class", "").endswith(("Layout", "ViewGroup"))

    @property
    def scrolls(self) -> bool:
        """Whether it scrolls, or would if there were more in it."""
        return self.flag("scrollable") or self.attributes.get("class", "").endswith("ScrollView")

    @property
    def role(self) -> str:
        """ARIA role of its class; "" of a mere container."""
        return _ROLES.get(self.attributes.get("class", "").rpartition(".")[2], "")


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A tree, with the rotation that it was taken at."""

    root: UiNode
    rotation: int


def parse_hierarchy(output: str) -> Hierarchy:
    """The tree from what `uiautomator dump` printed and wrote, in any order, messages between.

    Raises:
        DumpFailed: there is none; the message says why.
    """
    start = output.find("<?xml")
    start = start if start >= 0 else output.find("<hierarchy")
    end = output.rfind("</hierarchy>")
    if start < 0 or end < start:
        raise _failure(output)
    xml = output[start : end + len("</hierarchy>")]
    if len(xml) > LARGEST:
        raise DumpFailed("other", f"the element tree has {len(xml)} characters, more than {LARGEST}")
    if xml.count("<") > 2 * MOST_NODES or xml.count("=") > MOST_ATTRIBUTES:
        raise DumpFailed("other", f"the element tree has too many nodes, more than {MOST_NODES}")
    if "<!DOCTYPE" in xml or "<!ENTITY" in xml:
        raise DumpFailed("other", "the element tree declares entities, which no phone does")
    from xml.etree import ElementTree

    try:
        parsed = ElementTree.fromstring(_mend(xml))
    except ElementTree.ParseError as error:
        raise DumpFailed("other", f"the element tree is damaged: {error}") from error
    rotation = parsed.get("rotation", "0")
    return Hierarchy(_node(parsed), int(rotation) if rotation.isdecimal() else 0)


def _failure(output: str) -> DumpFailed:
    lower = output.lower()
    for words, kind, told in _ERRORS:
        if words in lower:
            return DumpFailed(kind, told)
    words = " ".join(output.split())
    return DumpFailed("other", f"uiautomator gave no element tree: {words[:200] or 'it said nothing'}")


def _mend(xml: str) -> str:
    """XML that a parser accepts: old versions write a character beyond 0xFFFF as two references, and control characters
    as references that XML forbids."""

    def join(match: re.Match[str]) -> str:
        high, low = int(match[1]), int(match[2])
        if 0xD800 <= high < 0xDC00 <= low < 0xE000:
            return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
        return match[0]

    def allow(match: re.Match[str]) -> str:
        digits = match[1]
        code = int(digits[1:], 16) if digits.startswith("x") else int(digits)
        fine = code in (9, 10, 13) or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000
        return match[0] if fine else "\ufffd"

    xml = _REFERENCE.sub(allow, _SURROGATES.sub(join, xml))
    return "".join(c if c >= " " or c in "\t\n\r" else "\ufffd" for c in xml)


def _node(parsed: Any) -> UiNode:
    root = UiNode(dict(parsed.attrib))
    stack = [(parsed, root)]
    while stack:
        source, node = stack.pop()
        for child in source:
            made = UiNode(dict(child.attrib))
            node.children.append(made)
            stack.append((child, made))
    return root


def elements(tree: Hierarchy, screen: PixelMapping, cap: int = 0) -> Elements:
    """The elements of a tree, in document order: what has words, or can be operated or scrolled.

    A row that can be tapped and has no words of its own is named by the words in it; a text that says no more than the
    element around it is left out. Ids are resource ids; of several elements with the same one, all but the first get
    a number after it.

    Args:
        screen: places the tree's pixels on the screenshot.
        cap: maximum number of elements, 0 for all.
    """
    found: list[Element] = []
    seen: Counter[str] = Counter()
    truncated = False
    origins = _origins(tree.root)
    for node, around, listed in _walk(tree.root):
        element = _element(node, around, listed, screen)
        if element is None:
            continue
        if cap and len(found) >= cap:
            truncated = True
            break
        resource = node.attributes.get("resource-id") or None
        if resource is not None:
            seen[resource] += 1
            resource = resource if seen[resource] == 1 else f"{resource}#{seen[resource]}"
        role, name, box, states, value = element
        found.append(Element(role, name, box, states, resource, "tree", value, origin=origins.get(id(node), "")))
    return Elements(tuple(found), truncated, f"more than {cap} elements" if truncated else "")


def _origins(root: UiNode) -> dict[int, str]:
    """Where the words of nodes come from, by the id of the object; nodes of which nothing is known are left out.

    The phone's own interface says which are notifications, packages which are mail and files, and a web view in any
    other application holds pages.
    """
    found: dict[int, str] = {}
    stack = [(root, "")]
    while stack:
        node, origin = stack.pop()
        package, resource = (node.attributes.get(name, "") for name in ("package", "resource-id"))
        if package == SYSTEM_UI and _NOTIFICATION.search(resource):
            origin = "notification"
        elif not origin:
            page = "web" if node.attributes.get("class", "").endswith("WebView") else ""
            origin = ORIGINS.get(package, page)
        if origin:
            found[id(node)] = origin
        stack += [(child, origin) for child in node.children]
    return found


def _walk(root: UiNode) -> Iterator[tuple[UiNode, UiNode | None, bool]]:
    """Every node in document order, with the operable node around it, and whether it is in something that scrolls."""
    stack: list[tuple[UiNode, UiNode | None, bool]] = [(root, None, False)]
    while stack:
        node, around, listed = stack.pop()
        yield node, around, listed
        inside = node if node.operable else around
        listed = listed or node.scrolls or node.role == "list"
        stack.extend((child, inside, listed) for child in reversed(node.children))


def _element(node: UiNode, around: UiNode | None, listed: bool, screen: PixelMapping) -> Any:
    bounds = _BOUNDS.fullmatch(node.attributes.get("bounds", ""))
    box = screen.to_box(*map(int, bounds.groups())) if bounds else None
    if box is None:
        return None
    role, name, value = node.role, node.label, ""
    if role == "textbox":
        # Android tells an empty field's hint as its text; newer versions also as `hint`.
        hint = node.attributes.get("hint", "")
        text = node.attributes.get("text", "")
        name = node.attributes.get("content-desc") or hint
        value = "" if hint and text == hint else text
    elif role in _VALUED and node.attributes.get("content-desc"):
        value = node.attributes.get("text", "") or ", ".join(_words(node))
    elif node.operable and not name:
        name = ", ".join(_words(node))
    elif node.operable and node.container:
        value = ", ".join(word for word in _words(node) if word != name)
    if not (name or value or node.operable or node.flag("scrollable")):
        return None
    if around is not None and not node.operable and not node.flag("scrollable") and name == around.label:
        return None
    if around is not None and not node.operable and [name] == list(_words(around)) and not around.label:
        return None
    if not role:
        if node.flag("checkable"):
            role = "checkbox"
        elif node.operable:
            role = "listitem" if listed and node.container else "button"
        else:
            role = "group" if node.flag("scrollable") else "text"
    elif role == "text" and node.flag("checkable"):
        role = "checkbox"
    elif role in ("text", "image") and node.flag("clickable"):
        role = "button"
    return role, name, box, _states(node), value


def _words(node: UiNode) -> Iterator[str]:
    """The words within a node, not those of elements in it that can be operated by themselves."""
    for child in node.children:
        if child.operable:
            continue
        if child.label:
            yield child.label
        yield from _words(child)


def _states(node: UiNode) -> frozenset[str]:
    states = {name for name in ("checked", "selected", "focused") if node.flag(name)}
    if node.attributes.get("enabled") == "false":
        states.add("disabled")
    if node.flag("scrollable"):
        states.add("scrollable")
    if node.flag("password"):
        states.add("password")
    return frozenset(states)
