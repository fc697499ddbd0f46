"""Finding a marked element again on a screen that has changed since."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.envs import Absent, Box, Element, Image, Observation
from omnipilot.grounders.marks.filter import SAME, likeness

_ALIKE = 6.0
"""Maximum mean difference between two images of the same element, of 255."""


def find_again(element: Element, then: Observation, now: Observation, marked: Sequence[Element]) -> Element | None:
    """The same element on the changed screen, or None if that is uncertain.

    Identified by id; else by role and name, if they are unique or one match is still in its place; else, without a
    name, by the same appearance in the same place.

    Args:
        then, now: the observation on which `element` was marked, and the current one.
        marked: the marked elements of the new screen.
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
    """Mean absolute difference of two images of the same size, 0..255."""
    import numpy as np

    return float(np.abs(one.array().astype(np.int16) - other.array().astype(np.int16)).mean())
