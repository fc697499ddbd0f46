"""Lists longer than the screen: scrolled to one end, then to the other, until nothing new appears."""

from __future__ import annotations

from collections import Counter

from omnipilot.envs import Element, Intent, Scroll, Swipe
from omnipilot.planners.rules.matching.scene import Result, TurnScene

_ROWS = frozenset("listitem row option radio article link treeitem cell gridcell image menuitem".split())
_FEW = 4
"""Minimum number of rows of a list."""
_MOST = 24
_FAR = 60.0


def scrolling(scene: TurnScene, env: str, direction: str, at: Element | None = None, amount: float = 3.0) -> Intent:
    """Scroll, or swipe in the opposite direction if an environment only supports touch."""
    if "scroll" in scene.verbs(env).kinds:
        return Scroll(direction, scene.aim(env, at) if at else None, amount)  # type: ignore[arg-type]
    finger = {"up": "down", "down": "up", "left": "right", "right": "left"}[direction]
    return Swipe(finger)  # type: ignore[arg-type]


def scan(scene: TurnScene, env: str, phrase: str) -> Result | None:
    """The next part of the list in front; None if there is no list or all of it was seen."""
    progress = scene.progress
    rows = rows_of(scene.elements(env))
    if len(rows) < _FEW or progress.scrolls >= _MOST:
        return None
    view = frozenset(f"{e.name}/{e.value}" for e in rows)
    middle = rows[len(rows) // 2]
    amount = 6.0 if middle.role in ("cell", "gridcell") else 3.0
    if view in progress.views:
        if progress.turned:
            return None
        # The end: what lies above the place where it began has not been seen yet.
        progress.turned = True
        progress.scrolls += 1
        progress.views.append(frozenset())
        return scene.do(env, scrolling(scene, env, "up", middle, _FAR), f"Scroll up to {phrase}.", completes=False)
    progress.views.append(view)
    progress.scrolls += 1
    return scene.do(env, scrolling(scene, env, "down", middle, amount), f"Scroll to {phrase}.", completes=False)


def rows_of(elements: list[Element]) -> list[Element]:
    """The rows of the longest visible list, from top to bottom."""
    rows = [e for e in elements if e.role in _ROWS]
    columns = Counter((e.role, round(e.box.left, 1)) for e in rows)
    if not columns:
        return []
    (role, left), _ = columns.most_common(1)[0]
    if role in ("cell", "gridcell", "image"):
        return [e for e in rows if e.role == role]
    return [e for e in rows if e.role == role and round(e.box.left, 1) == left]


def row_beside(element: Element, elements: list[Element]) -> Element:
    """The row of the same name that contains a checkbox: the row is the object, the box only changes it."""
    if element.role not in ("switch", "checkbox"):
        return element
    rows = [e for e in rows_of(elements) if e.name and e.name in element.name]
    return next((row for row in rows if row.box.top <= element.box.center.y <= row.box.bottom), element)
