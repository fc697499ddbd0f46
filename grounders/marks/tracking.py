"""Finding a marked thing again on a screen that has changed since it was marked."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.envs import Absent, Box, Element, Image, Observation
from omnipilot.grounders.marks.filter import SAME, likeness

_ALIKE = 6.0
"""Mean difference of two pictures of one thing, of 255, at most."""


def found_again(element: Element, then: Observation, now: Observation, marked: Sequence[Element]) -> Element | None:
    """The same thing on the changed screen, or None where it cannot be told for certain.

    Known by its id; else by role and name, where only one is called so or one is still in its place; else, without a
    name, by looking the same in the same place.

    Args:
        then, now: what was seen when `element` was marked, and what is seen now.
        marked: what is marked on the new screen.
    """
    if element.id is not None:
        listed = None if isinstance(now.elements, Absent) else now.elements.by_id(element.id)
        return listed if listed is not None and "offscreen" not in listed.states else None
    if not element.name:
        return element if _looks_the_same(element.box, then, now) else None
    called = [one for one in marked if (one.role, one.name, one.id) == (element.role, element.name, None)]
    if len(called) > 1:
        called = [one for one in called if likeness(one.box, element.box) >= SAME]
    return called[0] if len(called) == 1 else None


def _looks_the_same(box: Box, then: Observation, now: Observation) -> bool:
    if isinstance(then.screenshot, Absent) or isinstance(now.screenshot, Absent) or then.size != now.size:
        return False
    return _difference(then.screenshot.crop(box), now.screenshot.crop(box)) <= _ALIKE


def _difference(one: Image, other: Image) -> float:
    """Mean absolute difference of two pictures of one size, 0..255."""
    import numpy as np

    return float(np.abs(one.array().astype(np.int16) - other.array().astype(np.int16)).mean())
