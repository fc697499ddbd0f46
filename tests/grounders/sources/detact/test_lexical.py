"""The filter by words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import Box, Element
from omnipilot.grounders.sources.detact.lexical import choose_by_words


def named(role: str, name: str, at: int = 0) -> Element:
    """An element at one of a hundred places."""
    return Element(role, name, Box(at / 100, 0.1, (at + 1) / 100, 0.2))


SCREEN = [
    named("text", "Report of the year", 1),
    named("text", "Settings", 2),
    named("text", "Kettle", 3),
    named("image", "trash", 4),
    named("image", "folder", 5),
    named("image", "folder", 6),
    named("color", "red", 7),
    named("color", "grey", 8),
    named("color", "red", 9),
    named("color", "blue", 2),
]


@pytest.mark.parametrize(
    ("task", "first"),
    [
        ("Open the settings", ["Settings"]),
        ("Delete this file", ["trash", "folder", "folder"]),
        ("Open the Setings page", ["Settings"]),
        ("Click every red box", ["red", "red"]),
        ("Click the gray box", ["grey"]),
        ('Choose "Kettle" in the report of the year', ["Kettle", "Report of the year"]),
    ],
)
def test_what_the_task_speaks_of_comes_first(task: str, first: list[str]) -> None:
    assert [one.name for one in choose_by_words(SCREEN, task, 20)][: len(first)] == first


def test_what_no_word_can_be_held_against_fills_the_list() -> None:
    left = choose_by_words(SCREEN, "Do it", 20)
    # A blue place under a text is told by its text.
    assert [one.name for one in left[:6]] == ["trash", "red", "grey", "red", "folder", "folder"]
    assert len(left) == len(SCREEN)


@given(
    st.lists(st.tuples(st.sampled_from(["text", "image", "color"]), st.text(max_size=12)), max_size=40),
    st.text(max_size=60),
    st.integers(1, 30),
)
def test_it_never_leaves_more_than_it_may_nor_nothing_of_something(
    found: list[tuple[str, str]], task: str, keep: int
) -> None:
    elements = [named(role, name, at) for at, (role, name) in enumerate(found)]
    left = choose_by_words(elements, task, keep)
    assert len(left) == min(keep, len(elements))
    assert all(one in elements for one in left)
