"""The script that reads pages, and converting its result to elements."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from omnipilot.envs.types.geometry import Box, Size
from omnipilot.envs.types.observation import Element, Elements

PARTS = ("plain", "watch", "names", "roles", "states", "walk", "choose", "fields")


@cache
def script() -> str:
    """The script that defines `omnipilot` in an isolated world of a page; running it again has no effect.

    It shares the page's document but none of its variables. `quiet` waits until nothing moves, `read` returns
    elements, title and URL, `choose` selects an option of a drop-down list, `openList` tells which one is open, and
    `fill` fills fields that are no text boxes. For frames of other origins (`opaque`) and closed shadow roots (`adopt`)
    the browser's help is needed: `frames`.
    """
    here = Path(__file__).parent
    parts = "\n".join((here / f"{part}.js").read_text(encoding="utf-8") for part in PARTS)
    offered = "quiet, stay, read, choose, openList, pick, fill, untaken, opaque, adopt, markExamined"
    return f"(() => {{ if (globalThis.omnipilot) return;\n{parts}\nglobalThis.omnipilot = {{ {offered} }}; }})()"


def elements(raw: Mapping[str, Any], size: Size) -> Elements:
    """Convert a result of `read`, in pixels of a screen of `size`, to elements."""
    found = []
    for role, name, left, top, right, bottom, states, id, value, *origin in raw["items"]:
        box = _box(left, top, right, bottom, size)
        found.append(Element(role, name, box, frozenset(states), id, "tree", value, origin="".join(origin)))
    return Elements(tuple(found), bool(raw["detail"]), raw["detail"])


def _box(left: float, top: float, right: float, bottom: float, size: Size) -> Box:
    """A box for a rectangle already clipped by the script; only rounding errors remain to be clipped."""
    width, height = size.width, size.height
    return Box(*(min(max(edge, 0.0), 1.0) for edge in (left / width, top / height, right / width, bottom / height)))
