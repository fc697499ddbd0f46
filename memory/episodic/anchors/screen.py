"""Entities of a screen: in the texts of elements, and in values that stand beside or below their labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from omnipilot.envs import Box, Element
from omnipilot.memory.episodic.anchors import east_asian, normal
from omnipilot.memory.episodic.anchors.entities import Entity, entities_in, is_code, is_name, type_of_label

FURNITURE = frozenset(
    "button tab time timer menu menubar menuitem titlebar slider scrollbar progressbar spinbutton checkbox radio "
    "switch toolbar tooltip separator columnheader navigation banner image img toggle".split()
)
"""Roles whose texts are the interface's own."""
FIELDS = frozenset({"textbox", "searchbox", "combobox"})
ROWS = frozenset({"listitem", "row", "option", "link", "cell", "gridcell", "treeitem", "article"})
"""Roles of what lists are made of."""
CELLS = frozenset({"cell", "gridcell"})
_ADDRESS = re.compile(r"[A-Z]{1,3}\d{1,5}")
_NAMES_OF_THINGS = frozenset({"treeitem", "row"})
"""Roles whose bare numbers are names of things, such as a folder "2024"."""
_HEADS = frozenset({"text", "label", "term", "rowheader", "columnheader", "heading", "statictext", "cell", "gridcell"})
_BARE = re.compile(r"^[#№]?[-−]?\d+(?:[ .,'’\u00a0]\d{3})*(?:[.,]\d+)?$")
_LABEL = re.compile(rf"^(?=[^\d]*[A-Za-zÀ-ÿ{east_asian.LETTERS}])[^\d:?!：？！]{{2,40}}(?<![.。])[:：]?$")
_COMMAND = re.compile(r"^[\w@:~/.-]*[$#>] (\S.{0,60})")
"""A command line with its prompt; what it prints stands below it."""
_PROGRESS = re.compile(
    r"^(?:\d{1,2}:)?\d{1,2}:\d{2}\s*/\s*(?:\d{1,2}:)?\d{1,2}:\d{2}$|^[\d.,:]+\s*of\s*[\d.,:]+(?:\s*\w{1,5})?$"
)
_SHORT_NAME = re.compile(r"^[A-ZÀ-Þ][\w'’&.-]*(?:\s[\w'’&.-]+){0,4}$")
_NAMING = re.compile(
    r"(?i)(?:from|to|name|contact|sender|recipient|cc|with|by|caller|author|owner|artist|place|where|location|city|town|"
    r"venue|stop|station|hotel|company|guest|passenger|receiver|attendees?|organi[sz]er|album|title|model)"
)
LONGEST_NAME = 40
_TABLE = 6
"""Fewest cells of a table whose first column names its rows."""
_ROW = 0.25
"""Largest share of the screen of a row."""
_CLOCK = re.compile(
    r"^(?:(?:(?:오전|오후|上午|下午|午前|午後)\s?)?\d{1,2}:\d{2}(?:\s?[AaPp][Mm])?|\d{1,3}\s?%|\d{1,2})$"
)
_BAR_TOP, _BAR_BOTTOM = 0.05, 0.93
"""Shares of the screen's height above and below which a bare clock or a battery's level stands."""
_BESIDES = 5
"""So many characters more than its entity's still are no sentence: "Thu 20:34"."""
_KEYS = 9
"""So many bare numbers of one or two digits are keys or days, not facts."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An entity and where it was seen; the origin as its element says it."""

    entity: Entity
    box: Box
    origin: str = ""


class ScreenLayout:
    """Labels and rows of one screen, for the values beside and in them."""

    def __init__(self, items: Sequence[Element]) -> None:
        cells = [one for one in items if one.role in CELLS]
        self.addressed = any(one.value for one in cells) or all(_ADDRESS.fullmatch(one.name) for one in cells)
        heads = [(one.box, one.role, self.content(one)) for one in items if one.role in _HEADS]
        self.heads = [head for head in heads if _LABEL.match(head[2])]
        self.heads += [(box, role, said[1]) for box, role, text in heads if (said := _COMMAND.match(text))]
        self.rows = sorted(
            ((one.box.area, one.box, one.name) for one in items if one.role in ROWS - CELLS and one.name),
            key=lambda row: row[0],
        )

    def content(self, one: Element) -> str:
        """The text of an element: its name, or the value of a cell whose name is its address ("B4")."""
        return one.value if one.role in CELLS and self.addressed else one.name

    def label(self, value: Element) -> str:
        """The label of a value: the row that it is in, or the nearest words to its left on the same line, or else above
        it, with the heading of its column; "" for none."""
        box, center = value.box, value.box.center
        row = next((name for area, at, name in self.rows if area < _ROW and at.contains(center)), "")
        row = "" if row == value.name else row
        left, near, above, high, column, top = "", 1.0, "", 0.06, "", 1.0
        cell = value.role in CELLS
        for at, role, name in self.heads:
            if at is box:
                continue
            if at.right <= box.left + 0.01:
                if at.top <= center.y <= at.bottom and (gap := box.left - at.right) < near:
                    left, near = name, gap
            elif at.bottom <= box.top + 0.005 and at.left < center.x < at.right:
                gap = box.top - at.bottom
                if (role == "columnheader" or (cell and role in CELLS)) and at.top < top:
                    column, top = name, at.top
                elif gap < high:
                    above, high = name, gap
        if cell:
            return ", ".join(filter(None, (left.strip(" :："), column))) or (value.name if value.value else "")
        if row:
            return f"{row}, {column}" if column else row
        return (left or column or above).strip(" :：")


def entities_on(items: Sequence[Element], url: str = "") -> list[Placed]:
    """The entities of a screen, in the order of its elements; each value and label once.

    Args:
        url: the address of the page in front, which is not read again from the field that shows it.
    """
    found: dict[tuple[str, str, str], Placed] = {}
    texts = {one.name for one in items if one.role == "text"}
    keys = sum(1 for one in items if one.role not in CELLS and one.name.isdigit() and len(one.name) <= 2)
    layout = ScreenLayout(items)
    for one in items:
        for entity in _of_element(one, layout, url, texts, keys >= _KEYS):
            found.setdefault((entity.type, entity.key, entity.label.casefold()), Placed(entity, one.box, one.origin))
    for placed in (*_names(items, layout), *_row_names(items, layout)):
        found.setdefault((placed.entity.type, placed.entity.key, ""), placed)
    named = {(kind, key) for kind, key, label in found if label}
    return [placed for (kind, key, label), placed in found.items() if label or (kind, key) not in named]


def _of_element(one: Element, layout: ScreenLayout, url: str, texts: set[str], keyed: bool) -> Iterator[Entity]:
    if one.role in FURNITURE:
        return
    if one.role in FIELDS:
        # What is being typed changes with every key; a document is longer than a line.
        typed = "focused" in one.states and "\n" not in one.value
        if one.value and not typed and one.value != url:
            yield from (_labelled(entity, one.name) for entity in _read(one.value, one, layout, keyed))
        return
    yield from _read(layout.content(one), one, layout, keyed)
    if one.role not in CELLS and one.value and one.value not in texts:
        yield from (_labelled(entity, one.name) for entity in _read(one.value, one, layout, keyed))


def _read(text: str, one: Element, layout: ScreenLayout, keyed: bool) -> Iterator[Entity]:
    bare = text.strip()
    if not bare or _furnishes(bare, one.box):
        return
    if _BARE.match(bare):
        yield from _bare_number(bare, one, layout, keyed)
        return
    found = entities_in(text)
    if not found and is_code(bare) and (label := layout.label(one)):
        yield Entity("code", bare, normal.code(bare), label)
    for entity in found:
        whole = len(bare) - len(entity.value) <= _BESIDES
        if whole and entity.type in ("time", "duration") and one.role == "status":
            continue
        label = layout.label(one) if whole and not entity.label else entity.label
        kind = type_of_label(label) if entity.type == "number" else None
        yield replace(entity, label=label, type=kind or entity.type)


def _bare_number(bare: str, one: Element, layout: ScreenLayout, keyed: bool) -> Iterator[Entity]:
    """A number that is all of a text: a telephone number, or a value with a label, or one of four digits and more."""
    if one.role in _NAMES_OF_THINGS or one.role == "status":
        return
    if phone := next((found for found in entities_in(bare) if found.type == "phone"), None):
        yield replace(phone, label=layout.label(one))
        return
    digits, label = re.sub(r"\D", "", bare), layout.label(one)
    if (len(digits) < 3 and keyed and one.role not in CELLS) or not (label or len(digits) >= 4):
        return
    kind = type_of_label(label) or "number"
    yield Entity(kind, bare, {"code": normal.code, "phone": normal.phone}.get(kind, normal.amount)(bare), label)


def _furnishes(text: str, box: Box) -> bool:
    """Whether a text is a clock or a level in a bar, or tells how far something has played."""
    edge = box.bottom <= _BAR_TOP or box.top >= _BAR_BOTTOM
    return (edge and _CLOCK.match(text) is not None) or _PROGRESS.match(text) is not None


def _labelled(entity: Entity, label: str) -> Entity:
    """With the name of its field or row as the label, if it has none of its own."""
    if entity.label or not label or label == entity.value or len(label) > 60:
        return entity
    return replace(entity, label=label)


def _row_names(items: Sequence[Element], layout: ScreenLayout) -> Iterator[Placed]:
    """What the rows of a table are called: the words in its first column, below the heading."""
    cells = [(one, text) for one in items if one.role in CELLS and (text := layout.content(one).strip())]
    if len(cells) < _TABLE:
        return
    first, top = min(one.box.left for one, _ in cells), min(one.box.top for one, _ in cells)
    column = [(one, text) for one, text in cells if one.box.left <= first + 0.01]
    heading = next((text for one, text in column if one.box.top <= top + 0.005), "")
    for one, text in column:
        if one.box.top > top + 0.005 and text[:1].isupper() and len(text) <= LONGEST_NAME:
            yield Placed(Entity("name", text, text.casefold(), heading), one.box, one.origin)


def _names(items: Sequence[Element], layout: ScreenLayout) -> Iterator[Placed]:
    """Names in lists: at least two capitalised names of one role, left-aligned; and what stands beside a label such as
    "From" or "Place"."""
    rows: dict[tuple[str, int], list[tuple[str, Element]]] = {}
    for one in items:
        if one.role not in ROWS and one.role not in ("text", "heading"):
            continue
        for text in (one.name, *one.value.split(" · ")):
            if text[:1].isupper() and (is_name(text) or (one.role == "text" and _SHORT_NAME.match(text))):
                rows.setdefault((one.role, round(one.box.left * 50)), []).append((text, one))
    for (role, _), names in rows.items():
        listed = role != "heading" and len({text for text, _ in names if is_name(text)}) >= 2
        for text, one in names:
            label = layout.label(one) if role == "text" else ""
            whose = label if _NAMING.fullmatch(label) else ""
            if whose or (listed and is_name(text)):
                yield Placed(Entity("name", text, text.casefold(), whose), one.box, one.origin)
