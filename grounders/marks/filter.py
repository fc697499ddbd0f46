"""Which of all candidates are marked: the rules of CRAB's Set-of-Marks and of OmniParser, brought together.

What is mended against CRAB: duplicates are removed over all sources and not among a detector's boxes only; of a button
and the words in it the button stays, with the words as its name, where CRAB keeps the words; numbers begin at 1.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from omnipilot.envs import Box, Element, Point, Size
from omnipilot.envs.types.element_query import is_covered
from omnipilot.envs.types.roles import INTERACTIVE

SAME = 0.5
"""Intersection over union from which two boxes are the same thing."""
INSIDE = 0.8
"""Share of a box inside another one from which it is a part of it."""
NEAR = 80
"""Centres nearer than the longer side of the screen by this are the same target."""
_PANE, _PICTURE = 0.25, 0.05
"""Shares of the screen from which a target, or something else of the tree, holds things rather than being one."""
_FAR = 4.0
"""Words and an icon further apart than this, in heights of the frame around both, are two things on a bar."""
TARGETS = INTERACTIVE | frozenset("listitem row article columnheader rowheader menubutton icon".split())
"""Roles of what is clicked as a whole, together with the words and pictures in it."""


def shared(one: Box, other: Box) -> float:
    """Area that two boxes share, as a share of the screen."""
    wide = min(one.right, other.right) - max(one.left, other.left)
    high = min(one.bottom, other.bottom) - max(one.top, other.top)
    return wide * high if wide > 0 and high > 0 else 0.0


def likeness(one: Box, other: Box) -> float:
    """Intersection over union, 0..1."""
    common = shared(one, other)
    return common / (one.area + other.area - common) if common else 0.0


def within(inner: Box, outer: Box) -> bool:
    """Whether a box is a part of another one: most of it lies there, and that is larger."""
    return inner.area <= outer.area and shared(inner, outer) >= INSIDE * inner.area > 0


def choose_candidates(
    tree: Iterable[Element], lines: Iterable[Element], widgets: Iterable[Element], size: Size
) -> list[Element]:
    """The candidates that are marked, in reading order.

    An earlier source is trusted more: elements of the tree, then lines of text, then what detectors found. Lines and
    widgets inside a kept target are its parts; a line inside a nameless target becomes its name. A detected frame is
    a target only where it holds no more than a line and an icon: else these are.
    """
    kept = _of_tree([element for element in tree if _visible(element)])
    fields = [widget for widget in widgets if _visible(widget)]
    # The smallest first: of a button and the pane around it the button stays.
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


def _far_apart(parts: Sequence[Element], frame: Element, size: Size) -> bool:
    spans = sorted((part.box.left, part.box.right) for part in parts)
    gaps = [right[0] - left[1] for left, right in itertools.pairwise(spans)]
    return any(gap * size.width > _FAR * (frame.box.bottom - frame.box.top) * size.height for gap in gaps)


def _visible(element: Element) -> bool:
    return "offscreen" not in element.states and element.box.area > 0


def _of_tree(elements: list[Element]) -> list[Element]:
    """Targets, and whatever else has a name and is no part of a target; what only holds others goes."""
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
    """Whether what lies in an element is a part of it: words on a button, a tree in a photograph."""
    if _is_target(element):
        return element.box.area < _PANE
    return element.source == "tree" and element.box.area < _PICTURE


def _part(one: Element, whole: Element) -> bool:
    return _whole(whole) and within(one.box, whole.box)


def _distinct(elements: Sequence[Element], same: float = SAME) -> list[Element]:
    """Of those in the same place, the first."""
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
    """Whether a line is a part of something that is marked anyway; it gives its words to what has no name."""
    for place, other in enumerate(kept):
        if _part(line, other):
            if not other.name:
                kept[place] = replace(other, name=line.name)
            return True
    # A reader may take two labels that stand beside each other for one line.
    parts = sum(shared(line.box, other.box) for other in kept if _whole(other))
    return parts >= INSIDE * line.box.area


def _apart(elements: list[Element], size: Size) -> list[Element]:
    """Without those in the place, or with nearly the centre, of an earlier one. What the tree tells apart stays."""
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
    """From top to bottom by rows, each from left to right; ties by what the elements are, so that it never varies."""

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
