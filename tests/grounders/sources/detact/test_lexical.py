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


def test_an_exact_text_is_kept_beside_many_icons_of_its_meaning() -> None:
    screen = [named("image", "folder", at) for at in range(30)] + [
        named("text", "Files", 40),
        named("image", "plus", 50),
    ]
    assert ("text", "Files") in {(one.role, one.name) for one in choose_by_words(screen, "Click the Files button", 20)}
    assert "plus" in [one.name for one in choose_by_words(screen, "Click the New folder button", 20)]
    kept = choose_by_words(screen, "Open the folder", 20)
    assert [one.name for one in kept].count("folder") == 20, "all of them, where nothing else is named"


@pytest.mark.parametrize(("icon", "task"), [("note", "Open the notebook"), ("lamp", "Click Lantern, small")])
def test_an_icon_is_kept_whose_name_begins_the_tasks_word_or_means_it(icon: str, task: str) -> None:
    screen = [named("image", "star", 1), named("image", icon, 20)]
    assert choose_by_words(screen, task, 1)[0].name == icon


def test_a_field_is_kept_where_the_task_speaks_of_one() -> None:
    def box(role: str, name: str, left: float, top: float, wide: float = 0.3, high: float = 0.02) -> Element:
        return Element(role, name, Box(left, top, left + wide, top + high))

    lines = [box("text", f"Line {at}", 0.6, at / 40) for at in range(20)] + [named("image", "star", 99)]
    field = [box("color", "white", 0.1, 0.1, 0.4, 0.05), box("text", "Yoga class", 0.12, 0.11, 0.1)]
    empty = [box("color", "white", 0.1, 0.3, 0.4, 0.05), box("color", "blue", 0.1, 0.4, 0.4, 0.05)]
    found = choose_by_words([*lines, *empty, *field], "Click the Label textbox", 3)
    assert found == [*field, empty[0]]
    assert "Yoga class" not in [one.name for one in choose_by_words([*lines, *field], "Click the Label link", 3)]
    pane = box("color", "white", 0.1, 0.1, 0.4, 0.7)
    assert choose_by_words([*lines, pane, field[1]], "Click the Label textbox", 1) != [pane]


def test_what_has_no_text_is_kept_in_the_row_of_a_named_label() -> None:
    def at(role: str, name: str, left: float, top: float) -> Element:
        return Element(role, name, Box(left, top, left + 0.1, top + 0.02))

    switches = [at("color", "grey", 0.8, row / 10 + 0.02) for row in range(9)]
    names = ("Yoga", "Cat", "Shift", "Train", "Lunch", "Medicine", "Plants", "Dentist", "Run")
    labels = [at("text", name, 0.1, row / 10) for row, name in enumerate(names)]
    found = choose_by_words([*switches, *labels], "Click the Dentist switch", 2)
    assert found == [labels[7], switches[7]]
