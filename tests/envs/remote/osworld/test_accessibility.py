"""Trees of the three systems, in every namespace, and trees that are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from osworld_server import DESKAT, MACOS, UBUNTU, WINDOWS

from omnipilot.envs import Box, Size
from omnipilot.envs.remote.osworld.accessibility import BadTree, read_tree

SCREEN = Size(640, 480)


def lines(xml: str) -> list[tuple[str, str, str, str]]:
    """Role, name, value and states of each element."""
    return [
        (one.role, one.name, one.value, " ".join(sorted(one.states))) for one in read_tree(xml, SCREEN).elements.items
    ]


@pytest.mark.parametrize("xml", [UBUNTU, DESKAT], ids=["ubuntu", "deskat"])
def test_a_tree_of_at_spi(xml: str) -> None:
    tree = read_tree(xml, SCREEN)
    assert (tree.application, tree.title) == ("gedit", "notes.txt")
    assert lines(xml) == [
        ("window", "Files", "", ""),
        ("img", "beside", "", ""),
        ("togglebutton", "Volume", "", "checked"),
        ("window", "notes.txt", "", ""),
        ("button", "Save", "", "focused"),
        ("textbox", "", "shopping & more", ""),
        ("textbox", "Password", "", ""),
    ]
    save = next(one for one in tree.elements.items if one.name == "Save")
    assert save.box == Box(120 / 640, 60 / 480, 200 / 640, 80 / 480)
    beside = next(one for one in tree.elements.items if one.name == "beside")
    assert (beside.box.right, beside.box.bottom) == (1.0, 1.0)


def test_a_tree_of_windows() -> None:
    assert lines(WINDOWS) == [
        ("group", "Untitled - Notepad", "", ""),
        ("textbox", "Text Editor", "hello", "focused"),
        ("button", "Close", "", "disabled"),
    ]


def test_a_tree_of_macos() -> None:
    assert lines(MACOS)[1:] == [("textbox", "Name", "Ana", "focused"), ("combobox", "Font", "", "disabled")]


def test_coordinates_are_of_the_screen_in_its_own_units() -> None:
    half = read_tree(UBUNTU, Size(1280, 960))
    assert next(one for one in half.elements.items if one.name == "Save").box.left == 120 / 1280


def test_a_cap_is_told() -> None:
    elements = read_tree(UBUNTU, SCREEN, cap=2).elements
    assert len(elements) == 2 and elements.truncated and "7 elements, 2" in elements.detail


BOMB = "<!DOCTYPE a [<!ENTITY x '" + "y" * 1000 + "'>]><a>" + "&x;" * 1000 + "</a>"


@pytest.mark.parametrize(
    "xml",
    [
        BOMB,
        "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
        "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
        "<a>" * 100_000,
        "<a>&unknown;</a>",
        "",
        "no xml",
        "<a></b>",
    ],
    ids="entities doctype external deep unknown empty text crossed".split(),
)
def test_a_hostile_tree_is_refused(xml: str) -> None:
    with pytest.raises(BadTree):
        read_tree(xml, SCREEN)


def test_a_tree_of_a_million_nodes_is_cut() -> None:
    xml = f"<desktop-frame>{'<a/>' * 30_000}</desktop-frame>"
    assert read_tree(xml, SCREEN).elements.detail == "only the first 20000 nodes were read"


@pytest.mark.slow
@given(st.text(max_size=30), st.text(max_size=30))
def test_no_attribute_breaks_it(coordinates: str, name: str) -> None:
    from xml.sax.saxutils import quoteattr

    xml = (
        '<desktop-frame xmlns:cp="https://accessibility.ubuntu.example.org/ns/component">'
        f'<icon name={quoteattr(name)} cp:screencoord={quoteattr(coordinates)} cp:size="(9, 9)"/></desktop-frame>'
    )
    try:
        elements = read_tree(xml, SCREEN).elements
    except BadTree:
        return
    assert len(elements) <= 1
