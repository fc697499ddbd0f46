"""Elements of a page as BrowserGym's script tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omnipilot.envs import Box, Element, Elements, Size


def make_elements(told: Sequence[Mapping[str, Any]], size: Size) -> Elements:
    """The elements of a reading (`page_reading.read_observation`), as far as they are on the screen.

    Args:
        size: of the screenshot, to whose pixels their boxes refer.
    """
    found = []
    for one in told:
        left, top, width, height = one["box"]
        box = Box.clipped(left, top, left + width, top + height, size)
        if box is not None and box.area > 0:
            states = frozenset(one["states"])
            found.append(Element(one["role"], one["name"], box, states, one["id"], value=one["value"]))
    return Elements(tuple(found))
