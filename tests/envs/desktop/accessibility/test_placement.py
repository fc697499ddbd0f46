"""Where elements are, from made-up trees and windows."""

from __future__ import annotations

import pytest

from omnipilot.envs import Size
from omnipilot.envs.desktop.accessibility.options import options_at
from omnipilot.envs.desktop.accessibility.placement import list_elements
from omnipilot.envs.desktop.accessibility.roles import ENABLED, SENSITIVE, SHOWING
from omnipilot.envs.desktop.accessibility.walk import AccessibleNode, AccessibleProgram
from omnipilot.envs.desktop.x11.windows import Rectangle, XWindow

SCREEN = Size(1000, 800)
LIVE = frozenset({SHOWING, ENABLED, SENSITIVE})


def node(role: str, name: str, place: tuple[int, int, int, int], *children: AccessibleNode) -> AccessibleNode:
    numbers = iter(range(10**6))
    made = AccessibleNode(":1.7", f"/a/{role}-{name}-{next(numbers)}", None, role, name, states=LIVE, place=place)
    made.children = list(children)
    for child in children:
        child.parent = made
    return made


def program(*windows: AccessibleNode, toolkit: str = "gtk", version: str = "3.24", pid: int = 7) -> AccessibleProgram:
    return AccessibleProgram(":1.7", "it", pid, toolkit, version, list(windows))


def window(title: str, inner: Rectangle, frame: int = 0, pid: int = 7, popup: bool = False) -> XWindow:
    left, top, right, bottom = inner
    outer = (left - frame, top - 5 * frame, right + frame, bottom + frame)
    return XWindow(hash((title, inner)), title, "it", "It", pid, inner, outer, popup=popup)


def boxes(programs: list[AccessibleProgram], stack: list[XWindow], every: bool = False) -> dict[str, list[int]]:
    return {
        element.name: [round(edge) for edge in element.box.to_pixels(SCREEN)]
        for element, _ in list_elements(programs, stack, SCREEN, every)
    }


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
@pytest.mark.parametrize("toolkit", ["gtk", "Qt"])
def test_boxes_of_scaled_programs_are_in_pixels_of_the_screen(scale: float, toolkit: str):
    # The screen's pixels 100, 120 to 500, 420, of which GTK counts the frame and Qt does not.
    shown = window("It", (100, 120, 500, 420), frame=4)
    outline = shown.outer if toolkit == "gtk" else shown.inner
    x, y, right, bottom = (round(edge / scale) for edge in outline)
    button = (round(200 / scale), round(220 / scale), round(80 / scale), round(40 / scale))
    tree = node("frame", "It", (x, y, right - x, bottom - y), node("push button", "OK", button))
    found = boxes([program(tree, toolkit=toolkit)], [shown])["OK"]
    assert found == pytest.approx([200, 220, 280, 260], abs=2)


def test_of_gtk_4_places_are_those_in_the_window():
    shown = window("It", (100, 120, 510, 430))
    tree = node("frame", "It", (0, 0, 400, 300), node("push button", "7 7", (10, 20, 30, 30)))
    found = boxes([program(tree, toolkit="GTK", version="4.8.3")], [shown])
    assert found["7"] == [115, 145, 145, 175]


def test_what_lies_under_other_windows_is_left_out_or_cut():
    tree = node(
        "frame",
        "Low",
        (0, 0, 400, 400),
        node("push button", "hidden", (100, 100, 50, 50)),
        node("push button", "half", (50, 200, 100, 40)),
        node("push button", "free", (10, 350, 50, 40)),
    )
    stack = [window("Low", (0, 0, 400, 400)), window("High", (90, 50, 300, 300), pid=8)]
    found = boxes([program(tree)], stack)
    assert "hidden" not in found
    assert found["half"] == [50, 200, 90, 240]
    assert found["free"] == [10, 350, 60, 390]
    assert "hidden" in boxes([program(tree)], stack, every=True)


def test_an_open_menu_lies_above_its_window():
    items = [node("menu item", name, (10, 30 + 20 * n, 150, 20)) for n, name in enumerate(("Open", "Save"))]
    tree = node(
        "frame",
        "It",
        (0, 0, 400, 300),
        node("menu", "File", (0, 5, 40, 20), *items),
        node("push button", "under the menu", (20, 40, 60, 20)),
    )
    stack = [window("It", (0, 0, 400, 300)), window("", (10, 30, 160, 70), popup=True)]
    found = boxes([program(tree)], stack)
    assert found["Open"] == [10, 30, 160, 50] and found["Save"] == [10, 50, 160, 70]
    assert "under the menu" not in found


def test_a_closed_list_shows_no_options_and_tells_them():
    options = [node("list item", name, (0, 20 * n, 500, 20)) for n, name in enumerate(("One", "Two"))]
    combo = node("combo box", "One", (50, 50, 100, 30), node("list", "", (0, 0, 100, 40), *options))
    tree = node("frame", "It", (0, 0, 400, 300), combo)
    stack = [window("It", (0, 0, 400, 300))]
    assert set(boxes([program(tree, toolkit="Qt")], stack)) == {"It", "One"}
    listed = list_elements([program(tree, toolkit="Qt")], stack, SCREEN, every=True)
    place = next(element for element, one in listed if one is combo).box.center
    found = options_at(listed, place)
    assert found is not None and found.names == ("One", "Two")
    assert (found.index("two"), found.index("Two"), found.index("Three")) == (1, 1, None)


def test_what_sticks_out_of_what_scrolls_it_is_cut():
    rows = [node("list item", f"row {n}", (10, 10 + 30 * n, 100, 30)) for n in range(5)]
    tree = node("frame", "It", (0, 0, 400, 300), node("scroll pane", "", (0, 0, 100, 75), *rows))
    found = boxes([program(tree)], [window("It", (0, 0, 400, 300))])
    assert found["row 2"] == [10, 70, 100, 75]
    assert "row 3" not in found


def test_windows_of_one_program_are_told_apart():
    trees = [
        node("frame", "A", (0, 0, 200, 200), node("push button", "in A", (10, 10, 20, 20))),
        node("frame", "B", (300, 0, 200, 200), node("push button", "in B", (310, 10, 20, 20))),
    ]
    stack = [window("B", (300, 0, 500, 200)), window("A", (0, 0, 200, 200))]
    names = [element.name for element, _ in list_elements([program(*trees)], stack, SCREEN)]
    assert names == ["B", "in B", "A", "in A"]
