"""Choosing which candidates to mark: the rules of CRAB's Set-of-Marks and of OmniParser, combined; or CRAB's alone.

Differences from CRAB: duplicates are removed across all sources, not only among a detector's boxes; of a button and
its text the button is kept, with the text as its name (CRAB keeps the text); numbers start at 1.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from omnipilot.envs import Box, Element, Point, Size
from omnipilot.envs.types import INTERACTIVE, is_covered

SAME = 0.5
"""Minimum intersection over union of two boxes of the same thing."""
INSIDE = 0.8
"""Minimum share of a box inside another one of which it is a part."""
NEAR = 80
"""Centres closer than the screen's longer side divided by this are the same target."""
_PANE, _PICTURE = 0.25, 0.05
"""Minimum share of the screen at which a target, or another tree element, counts as a container."""
_FAR = 4.0
"""Text and an icon further apart than this, in heights of their frame, are separate items of a bar."""
TARGETS = INTERACTIVE | frozenset("listitem row article columnheader rowheader menubutton icon".split())
"""Roles of elements that are clicked as a whole, including the text and images in them."""


def shared_area(one: Box, other: Box) -> float:
    """Area of the intersection of two boxes, as a share of the screen."""
    wide = min(one.right, other.right) - max(one.left, other.left)
    high = min(one.bottom, other.bottom) - max(one.top, other.top)
    return wide * high if wide > 0 and high > 0 else 0.0


def likeness(one: Box, other: Box) -> float:
    """Intersection over union, 0..1."""
    common = shared_area(one, other)
    return common / (one.area + other.area - common) if common else 0.0


def within(inner: Box, outer: Box) -> bool:
    """Whether a box is part of another: most of it is inside, and the other is larger."""
    return inner.area <= outer.area and shared_area(inner, outer) >= INSIDE * inner.area > 0


def choose_candidates(
    tree: Iterable[Element], lines: Iterable[Element], widgets: Iterable[Element], size: Size
) -> list[Element]:
    """Choose the candidates to mark, in reading order.

    Earlier sources are trusted more: elements of the tree, then lines of text, then detected widgets. Lines and widgets
    inside a kept target are its parts; a line inside a nameless target becomes its name. A detected frame is a target
    only if it contains no more than a line and an icon; otherwise these are.
    """
    kept = _of_tree([element for element in tree if _visible(element)])
    fields = [widget for widget in widgets if _visible(widget)]
    # Smallest first: of a button and the pane around it, the button is kept.
    frames = _distinct(sorted((one for one in fields if one.role != "icon"), key=lambda one: one.box.area))
    icons = _distinct([one for one in fields if one.role == "icon"])
    words: list[Element] = []
    for line in lines:
        if _visible(line) and not _absorbed(line, kept) and not any(_same(line, one) for one in [*kept, *words]):
            words.append(line)
    for frame in frames:
        if _known(frame, kept) or any(within(one.box, frame.box) for one in kept):
            continue
        inner = [line for line in words if within(line.box, frame.box)]
        inside = [icon for icon in icons if within(icon.box, frame.box)]
        nested = [one for one in frames if one is not frame and within(one.box, frame.box)]
        if len(inner) > 1 or len(inside) > 1 or nested or _far_apart(inner + inside, frame, size):
            continue
        words = [line for line in words if line not in inner]
        kept.append(replace(frame, name=inner[0].name if inner else ""))
    kept += words
    kept += [icon for icon in icons if not _known(icon, kept)]
    return in_order(_apart(kept, size), size)


def choose_as_crab(
    tree: Iterable[Element], lines: Iterable[Element], widgets: Iterable[Element], size: Size
) -> list[Element]:
    """Choose the candidates as CRAB's released code does (`groundingdino_easyocr`), in its order: text, then icons.

    Of icons that overlap by half, the first is kept; what contains another box goes; of two whose centres are nearer
    than an eightieth of the screen's longer side, the first is kept. Elements of a tree, which CRAB does not have, come
    before the text.
    """
    icons = _distinct([one for one in widgets if one.box.area > 0])
    found = [*(one for one in (*tree, *lines) if one.box.area > 0), *icons]
    kept: list[Element] = []
    gone: set[int] = set()
    for number, one in enumerate(found):
        if number in gone:
            continue
        gone |= {place for place, other in enumerate(found) if place != number and other.box.encloses(one.box)}
    reach = round(max(size.width, size.height) / NEAR)
    for number, one in enumerate(found):
        center = one.box.center
        if number not in gone and all(_pixels_apart(center, other.box.center, size) >= reach for other in kept):
            kept.append(one)
    return kept


def _far_apart(parts: Sequence[Element], frame: Element, size: Size) -> bool:
    spans = sorted((part.box.left, part.box.right) for part in parts)
    gaps = [right[0] - left[1] for left, right in itertools.pairwise(spans)]
    return any(gap * size.width > _FAR * (frame.box.bottom - frame.box.top) * size.height for gap in gaps)


def _visible(element: Element) -> bool:
    return "offscreen" not in element.states and element.box.area > 0


def _of_tree(elements: list[Element]) -> list[Element]:
    """Targets, and other named elements that are not part of a target; containers are dropped."""
    free = [element for element in elements if not is_covered(element, elements)]
    targets = _distinct([element for element in free if _is_target(element)], 0.9)
    rest = [element for element in free if element.role not in TARGETS and (element.name or element.role == "image")]
    rest = _distinct([one for one in rest if not any(_part(one, target) for target in targets)])
    others = [*targets, *rest]
    leaves = [one for one in rest if not any(other is not one and within(other.box, one.box) for other in others)]
    kept = set(map(id, [*targets, *leaves]))
    return [element for element in free if id(element) in kept]


def _is_target(element: Element) -> bool:
    return element.role in TARGETS


def _whole(element: Element) -> bool:
    """Whether the content of an element is part of it: text on a button, a tree in a photograph."""
    if _is_target(element):
        return element.box.area < _PANE
    return element.source == "tree" and element.box.area < _PICTURE


def _part(one: Element, whole: Element) -> bool:
    return _whole(whole) and within(one.box, whole.box)


def _distinct(elements: Sequence[Element], same: float = SAME) -> list[Element]:
    """The elements without later ones in the same place."""
    kept: list[Element] = []
    for element in elements:
        if not any(likeness(element.box, other.box) >= same for other in kept):
            kept.append(element)
    return kept


def _same(one: Element, other: Element) -> bool:
    return likeness(one.box, other.box) >= SAME


def _known(one: Element, kept: list[Element]) -> bool:
    return any(_same(one, other) or _part(one, other) for other in kept)


def _absorbed(line: Element, kept: list[Element]) -> bool:
    """Whether a line is part of a kept element; a nameless one takes its text as its name."""
    for place, other in enumerate(kept):
        if _part(line, other):
            if not other.name:
                kept[place] = replace(other, name=line.name)
            return True
    # OCR may read two adjacent labels as one line.
    parts = sum(shared_area(line.box, other.box) for other in kept if _whole(other))
    return parts >= INSIDE * line.box.area


def _apart(elements: list[Element], size: Size) -> list[Element]:
    """The elements without those at the place or near the centre of an earlier one; tree elements are all kept."""
    reach = round(max(size.width, size.height) / NEAR)
    kept: list[Element] = []
    for element in elements:
        center = element.box.center
        if element.source == "tree" or not any(
            _same(element, other) or _pixels_apart(center, other.box.center, size) < reach for other in kept
        ):
            kept.append(element)
    return kept


def _pixels_apart(one: Point, other: Point, size: Size) -> float:
    return math.hypot((one.x - other.x) * size.width, (one.y - other.y) * size.height)


def in_order(elements: Iterable[Element], size: Size) -> list[Element]:
    """Elements in rows from top to bottom, each from left to right; ties are broken by content, deterministically."""

    def key(element: Element) -> tuple[float, float, float, float, str, str]:
        box = element.box
        return box.center.y, box.left, box.right, box.top, element.role, element.name

    rows: list[list[Element]] = []
    for element in sorted(elements, key=key):
        first = rows[-1][0] if rows else None
        low = (element.box.center.y - first.box.center.y) * size.height if first else math.inf
        if first is None or low > min(first.box.bottom - first.box.top, element.box.bottom - element.box.top) * (
            size.height / 2
        ):
            rows.append([element])
        else:
            rows[-1].append(element)
    return [element for row in rows for element in sorted(row, key=lambda one: (one.box.left, key(one)))]
