"""Entities of a screen: in the texts of elements, and in values that stand beside or below their labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from omnipilot.envs import Box, Element
from omnipilot.memory.episodic.anchors import normal
from omnipilot.memory.episodic.anchors.entities import Entity, entities_in, is_name, type_of_label

FURNITURE = frozenset(
    "button tab time timer menu menubar menuitem titlebar slider scrollbar progressbar spinbutton checkbox radio "
    "switch toolbar tooltip separator columnheader navigation banner image img toggle".split()
)
"""Roles whose texts are the interface's own."""
FIELDS = frozenset({"textbox", "searchbox", "combobox"})
ROWS = frozenset({"listitem", "row", "option", "link", "cell", "gridcell", "treeitem", "article"})
"""Roles of what lists are made of."""
_NAMES_OF_THINGS = frozenset({"treeitem", "row"})
"""Roles whose bare numbers are names of things, such as a folder "2024"."""
_HEADS = frozenset({"text", "label", "term", "rowheader", "columnheader", "heading", "statictext", "cell", "gridcell"})
_BARE = re.compile(r"^[#№]?[-−]?\d[\d.,'’ \u00a0]*$")
_LABEL = re.compile(r"^(?=[^\d]*[A-Za-zÀ-ÿ])[^\d:?!]{2,40}(?<!\.):?$")
_PROGRESS = re.compile(r"^(?:\d{1,2}:)?\d{1,2}:\d{2}(?:\s*/\s*(?:\d{1,2}:)?\d{1,2}:\d{2})?$|\bof\b.*\d")
_CLOCK = re.compile(r"^(?:\d{1,2}:\d{2}(?:\s?[AaPp][Mm])?|\d{1,3}\s?%|\d{1,2})$")
_BAR_TOP, _BAR_BOTTOM = 0.05, 0.93
"""Shares of the screen's height above and below which a bare clock or a battery's level stands."""
_BESIDES = 5
"""So many characters more than its entity's still are no sentence: "Thu 20:34"."""
_KEYS = 9
"""So many bare numbers of one or two digits are keys or days, not facts."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An entity and where it was seen."""

    entity: Entity
    box: Box


def entities_on(items: Sequence[Element], url: str = "") -> list[Placed]:
    """The entities of a screen, in the order of its elements; each value and label once.

    Args:
        url: the address of the page in front, which is not read again from the field that shows it.
    """
    found: dict[tuple[str, str, str], Placed] = {}
    texts = {one.name for one in items if one.role == "text"}
    keyed = sum(1 for one in items if one.name.isdigit() and len(one.name) <= 2) >= _KEYS
    for one in items:
        for entity in _of_element(one, items, url, texts, keyed):
            found.setdefault((entity.type, entity.key, entity.label.casefold()), Placed(entity, one.box))
    for placed in _names(items):
        found.setdefault((placed.entity.type, placed.entity.key, ""), placed)
    named = {(kind, key) for kind, key, label in found if label}
    return [placed for (kind, key, label), placed in found.items() if label or (kind, key) not in named]


def _of_element(one: Element, items: Sequence[Element], url: str, texts: set[str], keyed: bool) -> Iterator[Entity]:
    if one.role in FURNITURE:
        return
    if one.role in FIELDS:
        # What is being typed changes with every key; a document is longer than a line.
        typed = "focused" in one.states and "\n" not in one.value
        if one.value and not typed and one.value != url:
            yield from (_labelled(entity, one.name) for entity in _read(one.value, one, items, keyed))
        return
    yield from _read(one.name, one, items, keyed)
    if one.value and one.value not in texts:
        yield from (_labelled(entity, one.name) for entity in _read(one.value, one, items, keyed))


def _read(text: str, one: Element, items: Sequence[Element], keyed: bool) -> Iterator[Entity]:
    bare = text.strip()
    if not bare or _furnishes(bare, one.box):
        return
    if _BARE.match(bare):
        if one.role in _NAMES_OF_THINGS or one.role == "status":
            return
        digits = re.sub(r"\D", "", bare)
        label = _beside(one, items)
        if len(digits) < 3 and (keyed or not label):
            return
        kind = type_of_label(label) if label else None
        if kind is not None or label or len(digits) >= 4:
            key = {"code": normal.code, "phone": normal.phone}.get(kind or "", normal.amount)(bare)
            yield next(
                (found for found in entities_in(bare) if found.type == "phone"),
                Entity(kind or "number", bare, key, label),
            )
        return
    found = entities_in(text)
    for entity in found:
        whole = len(bare) - len(entity.value) <= _BESIDES
        if whole and entity.type in ("time", "duration") and one.role == "status":
            continue
        label = _beside(one, items) if whole and not entity.label else entity.label
        kind = type_of_label(label) if entity.type == "number" else None
        yield replace(entity, label=label, type=kind or entity.type)


def _furnishes(text: str, box: Box) -> bool:
    """Whether a text is a clock or a level in a bar, or tells how far something has played."""
    edge = box.bottom <= _BAR_TOP or box.top >= _BAR_BOTTOM
    return (edge and _CLOCK.match(text) is not None) or (
        _PROGRESS.search(text) is not None and len(text) <= 30 and ("of" in text or "/" in text)
    )


def _labelled(entity: Entity, label: str) -> Entity:
    """With the name of its field or row as the label, if it has none of its own."""
    if entity.label or not label or label == entity.value or len(label) > 60:
        return entity
    return replace(entity, label=label)


def _beside(value: Element, items: Sequence[Element]) -> str:
    """The label of a value: the name of the row it is in, or the nearest words to its left on the same line, or else
    above it, with the heading of its column; "" for none."""
    middle, best, near = value.box.center.y, "", 1.0
    above, high = "", 0.06
    center, row, column, small = value.box.center, "", "", 0.25
    for one in items:
        if one.role in ROWS and one.box.contains(center) and one is not value:
            if one.name and one.name != value.name and (area := _area(one.box)) < small:
                row, small = one.name, area
            continue
        if one is value or one.role not in _HEADS or not _LABEL.match(one.name):
            continue
        box = one.box
        if box.top <= middle <= box.bottom and box.right <= value.box.left + 0.01:
            if (gap := value.box.left - box.right) < near:
                best, near = one.name, gap
        elif box.left < value.box.right and box.right > value.box.left and box.bottom <= value.box.top + 0.005:
            gap = value.box.top - box.bottom
            if one.role == "columnheader" or (gap < high and not column):
                above, high = one.name, min(gap, high)
                column = one.name if one.role == "columnheader" else column
    if row:
        return f"{row}, {column}" if column else row
    return (best or above).strip(" :")


def _area(box: Box) -> float:
    return (box.right - box.left) * (box.bottom - box.top)


def _names(items: Sequence[Element]) -> Iterator[Placed]:
    """Names in lists: at least two capitalised names of one role, left-aligned; or beside a label such as "From"."""
    rows: dict[tuple[str, int], list[tuple[str, Element]]] = {}
    for one in items:
        if one.role in FURNITURE or one.role in FIELDS:
            continue
        for text in (one.name, one.value):
            if is_name(text) and (one.role in ROWS or one.role in ("text", "heading")):
                rows.setdefault((one.role, round(one.box.left * 50)), []).append((text, one))
    for (role, _), names in rows.items():
        listed = len({text for text, _ in names}) >= 2
        for text, one in names:
            label = _beside(one, items) if role == "text" else ""
            whose = re.fullmatch(r"(?i)(?:from|to|name|contact|sender|recipient|cc|with|by|caller|author|owner)", label)
            if (listed and role != "heading") or whose:
                yield Placed(Entity("name", text, text.casefold(), label if whose else ""), one.box)
