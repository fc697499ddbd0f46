"""Elements in words, a line each: id, role, name, value and states."""

from __future__ import annotations

import json
from collections.abc import Iterator

from omnipilot.envs import Element, Elements


def element_lines(elements: Elements, coordinates: bool = False) -> Iterator[str]:
    """A line an element, in order, and one for what is missing.

    Args:
        coordinates: tell the middle of each, in shares of the screen's sides.
    """
    for element in elements.items:
        yield _line(element, coordinates)
    if not elements.items:
        yield "(there are none)"
    if elements.truncated:
        yield f"(the list is cut: {elements.detail})" if elements.detail else "(the list is cut)"


def _line(element: Element, coordinates: bool) -> str:
    words = [f"#{element.id}"] if element.id is not None else ["-"]
    words.append(element.role)
    if element.name:
        words.append(_quoted(element.name))
    if element.value:
        words.append(f"= {_quoted(element.value)}")
    if element.states:
        words.append(f"({', '.join(sorted(element.states))})")
    if coordinates:
        words.append(f"at {element.box.center.x:.3f}, {element.box.center.y:.3f}")
    return " ".join(words)


def _quoted(text: str) -> str:
    """On one line, whatever the text holds."""
    return json.dumps(text, ensure_ascii=False)
