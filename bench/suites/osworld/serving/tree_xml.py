"""Accessible trees as the XML of OSWorld's server."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from xml.etree import ElementTree

from omnipilot.envs import Elements, Size
from omnipilot.envs.desktop import AccessibleNode, AccessibleProgram

_BASE = "https://accessibility.ubuntu.example.org/ns"
SPACES = {"st": f"{_BASE}/state", "cp": f"{_BASE}/component", "val": f"{_BASE}/value", "attr": f"{_BASE}/attributes"}
DEEPEST = 50
"""Levels that OSWorld's server goes down."""
STATES: Mapping[int, str] = dict(
    enumerate(
        (
            "invalid active armed busy checked collapsed defunct editable enabled expandable expanded focusable "
            "focused has_tooltip horizontal iconified modal multi_line multiselectable opaque pressed resizable "
            "selectable selected sensitive showing single_line stale transient vertical visible manages_descendants "
            "indeterminate required truncated animated invalid_entry supports_autocompletion selectable_text "
            "is_default visited checkable has_popup read_only"
        ).split()
    )
)
"""Names of AT-SPI's states, by their numbers."""
ROLES = {
    "button": "push-button",
    "textbox": "text",
    "searchbox": "entry",
    "checkbox": "check-box",
    "radio": "radio-button",
    "combobox": "combo-box",
    "menuitem": "menu-item",
    "tab": "page-tab",
    "tablist": "page-tab-list",
    "listitem": "list-item",
    "text": "label",
    "img": "icon",
    "window": "frame",
    "generic": "panel",
}
"""AT-SPI's names of our roles, where they are others."""
BROWSER, BROWSER_THERE = "Chromium", "Google Chrome"
"""The browser that stands for OSWorld's, and OSWorld's; tasks and judges look for it by name."""
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TAG = re.compile("[^a-z0-9-]")


def tree_of_programs(programs: Iterable[AccessibleProgram]) -> str:
    """The trees of programs, as these tell them, under the names that programs have on OSWorld's machine."""
    root = _root()
    for program in programs:
        one = ElementTree.SubElement(root, "application", {"name": _text(name_there(program.name))})
        for window in program.windows:
            _add(one, replace(window, name=name_there(window.name)), 1)
    return ElementTree.tostring(root, encoding="unicode")


def name_there(name: str) -> str:
    """The name of a program on OSWorld's machine, or the title of its window: Chromium stands for Google Chrome."""
    return f"{name[: -len(BROWSER)]}{BROWSER_THERE}" if name.endswith(BROWSER) else name


def tree_of_elements(elements: Elements, size: Size, name: str) -> str:
    """Elements of a world of ours that tells no tree: one window of one application, which holds them all."""
    root = _root()
    shown = {f"{{{SPACES['st']}}}{state}": "true" for state in ("showing", "visible", "enabled", "sensitive")}
    place = {**shown, **_place((0, 0, size.width, size.height))}
    application = ElementTree.SubElement(root, "application", {"name": _text(name)})
    frame = ElementTree.SubElement(
        application, "frame", {"name": _text(name), **place, f"{{{SPACES['st']}}}active": "true"}
    )
    for element in elements.items:
        left, top, right, bottom = element.box.to_pixels(size)
        told = {"name": _text(element.name), **shown, **_place((left, top, right - left, bottom - top))}
        told |= {f"{{{SPACES['st']}}}{state}": "true" for state in sorted(element.states) if state.isidentifier()}
        if "disabled" in element.states:
            for state in ("enabled", "sensitive"):
                del told[f"{{{SPACES['st']}}}{state}"]
        role = ROLES.get(element.role, element.role)
        ElementTree.SubElement(frame, _tag(role), told).text = _text(element.value) or None
    return ElementTree.tostring(root, encoding="unicode")


def _root() -> ElementTree.Element:
    for prefix, space in SPACES.items():
        ElementTree.register_namespace(prefix, space)
    return ElementTree.Element("desktop-frame")


def _add(above: ElementTree.Element, node: AccessibleNode, depth: int) -> None:
    told = {"name": _text(node.name)}
    names = {STATES.get(number, "") for number in node.states} - {""}
    told |= {f"{{{SPACES['st']}}}{name}": "true" for name in sorted(names)}
    if node.place is not None and {"showing", "visible"} <= names:
        told |= _place(node.place)
    one = ElementTree.SubElement(above, _tag(node.role.replace(" ", "-")), told)
    if node.value:
        one.text = _text(node.value.replace("\ufffc", ""))
    if depth < DEEPEST:
        for child in node.children:
            _add(one, child, depth + 1)


def _place(place: tuple[float, float, float, float]) -> dict[str, str]:
    left, top, width, height = map(round, place)
    component = SPACES["cp"]
    return {f"{{{component}}}screencoord": f"({left}, {top})", f"{{{component}}}size": f"({width}, {height})"}


def _tag(role: str) -> str:
    return _TAG.sub("-", role.lower()).strip("-") or "unknown"


def _text(text: str) -> str:
    return _FORBIDDEN.sub("", text)
