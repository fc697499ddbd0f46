"""The script that reads pages, and what it answers as elements."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from omnipilot.envs.types.geometry import Box, Size
from omnipilot.envs.types.observation import Element, Elements

PARTS = ("watch", "names", "roles", "states", "walk", "choose")


@cache
def script() -> str:
    """The script that defines `omnipilot` in an isolated world of a page; run again there, it changes nothing.

    It shares the page's document and none of its variables. `quiet` waits until nothing moves, `read` lists the
    elements beside title and address, `choose` picks an option of a drop-down list.
    """
    here = Path(__file__).parent
    parts = "\n".join((here / f"{part}.js").read_text(encoding="utf-8") for part in PARTS)
    return (
        f"(() => {{ if (globalThis.omnipilot) return;\n{parts}\nglobalThis.omnipilot = {{ quiet, read, choose }}; }})()"
    )


def elements(raw: Mapping[str, Any], size: Size) -> Elements:
    """The elements in an answer of `read`, whose pixels are those of a screen of `size`."""
    found = []
    for role, name, left, top, right, bottom, states, id, value in raw["items"]:
        box = _box(left, top, right, bottom, size)
        found.append(Element(role, name, box, frozenset(states), id, "tree", value))
    return Elements(tuple(found), bool(raw["detail"]), raw["detail"])


def _box(left: float, top: float, right: float, bottom: float, size: Size) -> Box:
    """A rectangle that the script has clipped already; only the dust of arithmetic is left to take off."""
    width, height = size.width, size.height
    return Box(*(min(max(edge, 0.0), 1.0) for edge in (left / width, top / height, right / width, bottom / height)))
