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


def test_an_icon_comes_before_lines_that_share_some_words_of_the_task() -> None:
    screen = [named("text", "Video player", at) for at in range(4)] + [named("image", "minus", 9)]
    assert [one.name for one in choose_by_words(screen, "Minimise the video", 1)] == ["minus"]


def test_the_value_beside_or_below_a_named_label_is_kept() -> None:
    def text(name: str, left: float, top: float) -> Element:
        return Element("text", name, Box(left, top, left + 0.1, top + 0.04))

    others = [text(f"Line {at}", 0.6, at / 20) for at in range(12, 18)]
    screen = [*others, text("Screen off", 0.1, 0.1), text("15 minutes", 0.3, 0.1), text("Ringtone", 0.1, 0.3)]
    screen += [text("Far away", 0.8, 0.1), text("Chimes", 0.1, 0.36)]
    beside = choose_by_words(screen, "Open the screen off combobox", 2)
    assert [one.name for one in beside] == ["Screen off", "15 minutes"]
    below = choose_by_words(screen, "Change the ringtone", 2)
    assert [one.name for one in below] == ["Ringtone", "Chimes"]


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
