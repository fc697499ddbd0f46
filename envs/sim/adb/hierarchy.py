"""The phone's screen as uiautomator sees it: a tree of nodes, its XML, and finding nodes by selectors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from omnipilot.envs.sim.adb.packages import front_package
from omnipilot.envs.sim.adb.patterns import ShellPattern, Steps
from omnipilot.envs.sim.adb.phone import ServedPhone
from omnipilot.envs.sim.render.written_texts import written_texts
from omnipilot.envs.sim.ui.scene import Control
from omnipilot.envs.types.geometry import Box
from omnipilot.envs.types.observation import Element

SYSTEM_UI = "com.android.systemui"
CLASSES: Mapping[str, str] = {
    "button": "android.widget.Button",
    "link": "android.widget.Button",
    "textbox": "android.widget.EditText",
    "checkbox": "android.widget.CheckBox",
    "switch": "android.widget.Switch",
    "radio": "android.widget.RadioButton",
    "combobox": "android.widget.Spinner",
    "slider": "android.widget.SeekBar",
    "image": "android.widget.ImageView",
    "progressbar": "android.widget.ProgressBar",
    "tab": "androidx.appcompat.app.ActionBar.Tab",
    "spinbutton": "android.widget.NumberPicker",
    "listitem": "android.widget.LinearLayout",
    "dialog": "android.widget.FrameLayout",
    "article": "android.widget.TextView",
    "menuitem": "android.widget.TextView",
    "option": "android.widget.CheckedTextView",
}
"""Android's classes by ARIA role; other roles are texts."""
_ICON = "android.widget.ImageButton"
_PLAIN = ("android.widget.TextView", "android.widget.CheckedTextView")
_VALUED = ("slider", "combobox", "progressbar")
_CONTAINERS = ("listitem", "dialog", "article")
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Rect = tuple[int, int, int, int]


@dataclass(slots=True)
class HierarchyNode:
    """One node; `bounds` are pixels of the screenshot: left, top, right, bottom."""

    kind: str
    package: str
    bounds: Rect
    text: str = ""
    description: str = ""
    id: str = ""
    checkable: bool = False
    checked: bool = False
    clickable: bool = False
    enabled: bool = True
    focusable: bool = False
    focused: bool = False
    scrollable: bool = False
    long_clickable: bool = False
    password: bool = False
    selected: bool = False
    index: int = 0
    children: list[HierarchyNode] = field(default_factory=list)

    def walk(self) -> Iterator[HierarchyNode]:
        """This node and all below it, in the order of the document."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)

    def attributes(self) -> dict[str, str]:
        """Its attributes in the XML."""
        left, top, right, bottom = self.bounds
        flags = {
            "checkable": self.checkable,
            "checked": self.checked,
            "clickable": self.clickable,
            "enabled": self.enabled,
            "focusable": self.focusable,
            "focused": self.focused,
            "scrollable": self.scrollable,
            "long-clickable": self.long_clickable,
            "password": self.password,
            "selected": self.selected,
        }
        return {
            "index": str(self.index),
            "text": self.text,
            "resource-id": self.id,
            "class": self.kind,
            "package": self.package,
            "content-desc": self.description,
            **{name: "true" if value else "false" for name, value in flags.items()},
            "bounds": f"[{left},{top}][{right},{bottom}]",
        }

    def info(self) -> dict[str, Any]:
        """What uiautomator2 tells of it."""
        left, top, right, bottom = self.bounds
        bounds = {"left": left, "top": top, "right": right, "bottom": bottom}
        return {
            "bounds": bounds,
            "visibleBounds": bounds,
            "childCount": len(self.children),
            "className": self.kind,
            "contentDescription": self.description or None,
            "packageName": self.package,
            "text": self.text,
            "resourceName": self.id or None,
            "checkable": self.checkable,
            "checked": self.checked,
            "clickable": self.clickable,
            "enabled": self.enabled,
            "focusable": self.focusable,
            "focused": self.focused,
            "scrollable": self.scrollable,
            "longClickable": self.long_clickable,
            "selected": self.selected,
        }


def screen_tree(phone: ServedPhone) -> HierarchyNode:
    """The nodes on the screen, below one frame for the app and one for the system's bars."""
    with phone.lock:
        elements, scene, display = phone.elements(), phone.scene(), phone.display
        focus = phone.state().phone.focus
    package = front_package(phone).name
    whole = display.rectangle(Box(0.0, 0.0, 1.0, 1.0))
    root = HierarchyNode("android.widget.FrameLayout", package, whole)
    bars = HierarchyNode("android.widget.FrameLayout", SYSTEM_UI, whole)
    width, height = scene.size.width, scene.size.height
    spaces = [root]
    waiting: list[HierarchyNode] = []
    for scroller in scene.scrollers:
        left, top, right, bottom = scroller.rect
        if left < right and top < bottom:
            box = Box(max(left / width, 0), max(top / height, 0), min(right / width, 1), min(bottom / height, 1))
            node = HierarchyNode(
                "android.widget.ScrollView", package, display.rectangle(box), scrollable=scroller.most > 0
            )
            node.id = _resource(package, scroller.id)
            waiting.append(node)
    drawn = written_texts(scene.ops, scene.size).items
    controls = {control.id: control for control in scene.controls if control.id}
    for element in elements:
        ours = (element.id or "").startswith(("status/", "system/"))
        node = _node(element, controls.get(element.id or ""), SYSTEM_UI if ours else package, drawn)
        node.bounds = display.rectangle(element.box)
        node.focused = bool(element.id) and element.id == focus
        if ours:
            bars.children.append(node)
            continue
        if element.role == "dialog":
            # A window of its own, whose nodes alone are told while it is open.
            root.children, spaces, waiting = [], [root], []
        # What scrolls stands where the first thing in it does, behind the bar above it.
        for around in [one for one in waiting if _encloses(one.bounds, node.bounds)]:
            waiting.remove(around)
            _place(around, spaces)
            spaces.append(around)
        _place(node, spaces)
        if element.role in _CONTAINERS:
            spaces.append(node)
    for empty in waiting:
        _place(empty, spaces)
    tree = HierarchyNode("hierarchy", "", whole, children=[root, bars] if bars.children else [root])
    for node in tree.walk():
        for number, child in enumerate(node.children):
            child.index = number
    return tree


def _resource(package: str, id: str | None) -> str:
    return f"{package}:id/{re.sub(r'[^A-Za-z0-9_]', '_', id)}" if id else ""


def _place(node: HierarchyNode, spaces: Sequence[HierarchyNode]) -> None:
    """Put a node into the last of the spaces that encloses it; the first one encloses everything."""
    around = next((space for space in reversed(spaces[1:]) if _encloses(space.bounds, node.bounds)), spaces[0])
    around.children.append(node)


def _encloses(outer: Rect, inner: Rect) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def _node(element: Element, control: Control | None, package: str, drawn: Sequence[Element]) -> HierarchyNode:
    """The node of one element; its place in the tree and its bounds are set by the caller."""
    kind = CLASSES.get(element.role, "android.widget.TextView")
    node = HierarchyNode(kind, package, (0, 0, 0, 0), id=_resource(package, element.id))
    if kind == "android.widget.EditText" or element.role in _VALUED:
        node.text, node.description = element.value, element.name
    elif kind in _PLAIN or any(_within(text, element) for text in drawn if text.name in element.name):
        node.text = element.name
    else:
        node.description = element.name
        node.kind = _ICON if element.role == "button" else kind
    states = element.states
    node.enabled = "disabled" not in states and (control is None or control.enabled)
    node.checkable = element.role in ("checkbox", "switch", "radio")
    node.checked, node.selected = "checked" in states, "selected" in states
    node.password = "password" in states
    if control is not None:
        node.clickable = bool(control.tap or control.tap_at or control.area or control.options)
        node.long_clickable = bool(control.menu)
        node.focusable = node.clickable
    return node


def _within(text: Element, element: Element) -> bool:
    center, box = text.box.center, element.box
    return box.left <= center.x <= box.right and box.top <= center.y <= box.bottom


def to_xml(top: HierarchyNode, rotation: int, compressed: bool = False, deepest: int = 1000) -> str:
    """The tree as uiautomator writes it.

    Args:
        compressed: leave out nodes that say and do nothing. deepest: levels below the root that are written.
    """
    parts = [
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>",
        f'<hierarchy rotation="{rotation}">',
    ]

    def write(node: HierarchyNode, depth: int) -> None:
        if depth > deepest:
            return
        empty = not (node.text or node.description or node.clickable or node.scrollable)
        skipped = compressed and empty and depth > 1
        if not skipped:
            attributes = " ".join(f"{name}={_quote(value)}" for name, value in node.attributes().items())
            parts.append(f"<node {attributes}{'' if node.children else ' /'}>")
        for child in node.children:
            write(child, depth + (not skipped))
        if node.children and not skipped:
            parts.append("</node>")

    for child in top.children:
        write(child, 1)
    parts.append("</hierarchy>")
    return "".join(parts)


def _quote(text: str) -> str:
    text = _FORBIDDEN.sub(".", text)
    for character, reference in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\n", "&#10;"), ('"', "&quot;")):
        text = text.replace(character, reference)
    return f'"{text}"'


_TEXTS = {
    "text": "text",
    "description": "description",
    "className": "kind",
    "packageName": "package",
    "resourceId": "id",
}
_FLAGS = {
    "checkable": "checkable",
    "checked": "checked",
    "clickable": "clickable",
    "longClickable": "long_clickable",
    "scrollable": "scrollable",
    "enabled": "enabled",
    "focusable": "focusable",
    "focused": "focused",
    "selected": "selected",
    "index": "index",
}


class _Patterns(dict[str, ShellPattern]):
    """The regular expressions of one search by their texts; together they have the steps of one."""

    def __init__(self) -> None:
        super().__init__()
        self._steps = Steps()

    def __missing__(self, text: str) -> ShellPattern:
        made = self[text] = ShellPattern(text, steps=self._steps)
        return made


def matches(node: HierarchyNode, selector: Mapping[str, Any], patterns: _Patterns) -> bool:
    """Whether a node fits a selector's conditions, as of UiSelector."""
    for name, value in selector.items():
        if name in _FLAGS:
            if getattr(node, _FLAGS[name]) != value:
                return False
            continue
        base = name.removesuffix("Contains").removesuffix("Matches").removesuffix("StartsWith")
        if base not in _TEXTS or not isinstance(value, str):
            continue
        text = getattr(node, _TEXTS[base])
        if name.endswith("Contains"):
            fits = value.lower() in text.lower()
        elif name.endswith("StartsWith"):
            fits = text.lower().startswith(value.lower())
        elif name.endswith("Matches"):
            fits = patterns[value].fits(text)
        else:
            fits = text == value
        if not fits:
            return False
    return True


def find_all(top: HierarchyNode, selector: Mapping[str, Any]) -> list[HierarchyNode]:
    """The nodes that a selector means, with its chain of children and siblings; all instances unless one is named.

    Raises:
        ValueError: a pattern is no regular expression, or its search takes too long.
    """
    patterns = _Patterns()
    parents = {id(child): node for node in top.walk() for child in node.children}
    found = _chosen([node for node in top.walk() if node is not top and matches(node, selector, patterns)], selector)
    chain = list(zip(selector.get("childOrSibling") or (), selector.get("childOrSiblingSelector") or (), strict=False))
    for kind, inner in chain[:20]:
        nearby: list[HierarchyNode] = []
        for node in found:
            around = list(node.walk())[1:] if kind == "child" else parents.get(id(node), top).children
            nearby += [one for one in around if one is not node and matches(one, inner, patterns) and one not in nearby]
        found = _chosen(nearby, inner)
    return found


def _chosen(nodes: list[HierarchyNode], selector: Mapping[str, Any]) -> list[HierarchyNode]:
    instance = selector.get("instance")
    if not isinstance(instance, int) or not int(selector.get("mask", 0) or 0) & 0x01000000:
        return nodes
    return nodes[instance : instance + 1] if instance >= 0 else []
