"""Which element encloses another, where the source of the elements does not say."""

from __future__ import annotations

from omnipilot.envs import Box, Element, Elements


def test_a_parent_is_the_smallest_element_with_a_name_around() -> None:
    window = Element("window", "Mail", Box(0, 0, 1, 1))
    group = Element("group", "", Box(0.1, 0.1, 0.9, 0.9))
    row = Element("listitem", "Lunch?", Box(0.2, 0.2, 0.8, 0.4))
    text = Element("text", "Lunch?", Box(0.2, 0.2, 0.8, 0.4))
    elements = Elements((window, group, row, text))
    assert elements.parent(text) == row
    assert elements.parent(row) == window
    assert elements.parent(window) is None
