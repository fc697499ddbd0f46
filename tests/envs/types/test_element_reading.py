"""Reading described places strictly, and what lies at a point."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import Box, Element, Elements, Point, Ref, Thinking, Wait, resolve
from omnipilot.envs.types.actions import CONTROL_VERBS
from omnipilot.envs.types.element_reading import describe_element, element_at, lies_on, read_target
from omnipilot.grounders import ElementsGrounder


def at(role: str, name: str, left: float, top: float, right: float, bottom: float, *states: str, id=None) -> Element:
    return Element(role, name, Box(left, top, right, bottom), frozenset(states), id)


SAVE = at("button", "Save", 0.1, 0.1, 0.2, 0.15, id="e1")
SAVE_TEXT = at("text", "Save", 0.12, 0.11, 0.18, 0.14)
SAVE_BELOW = at("button", "save", 0.1, 0.36, 0.2, 0.41, id="e2")
HEADING = at("heading", "Save", 0.4, 0.5, 0.6, 0.6)
ROW = at("listitem", "Mark Olsen", 0.0, 0.6, 1.0, 0.7, id="row")
ROW_TITLE = at("text", "Mark Olsen", 0.1, 0.61, 0.3, 0.64)
ROW_TIME = at("text", "0:02", 0.7, 0.61, 0.8, 0.64)
STAR = at("button", "Star", 0.9, 0.62, 0.95, 0.66, id="star")
FIRST_NAME = at("textbox", "First name", 0.1, 0.8, 0.3, 0.85, id="first")
NAME = at("textbox", "Name", 0.5, 0.8, 0.7, 0.85, id="name")
SCREEN = Elements((SAVE, SAVE_TEXT, SAVE_BELOW, HEADING, ROW, ROW_TITLE, ROW_TIME, STAR, FIRST_NAME, NAME))


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (Ref("e2"), SAVE_BELOW),
        ("#e2", SAVE_BELOW),
        ('the first "Save" button', SAVE),
        ("the second Save button", SAVE_BELOW),
        ("the last 'save' button", SAVE_BELOW),
        ('the "Save" heading', HEADING),
        ("the Save button at the top left of the screen", SAVE),
        ("Mark Olsen", ROW),
        ("the “Mark Olsen” conversation", ROW),
        ("the Star button", STAR),
        ("button Star", STAR),
        ("the button labeled Star", STAR),
        ('the button with the label "Star"', STAR),
        ("the Name text field", NAME),
        ("0:02", ROW_TIME),
    ],
)
def test_words_that_mean_one_element_are_read(words, meant):
    assert read_target(SCREEN, words) is meant


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (Ref("e9"), "no element on the screen has the id 'e9'"),
        ("#e9", "no element on the screen is called that"),
        ("Save", "2 elements answer to it"),
        ("the Save button", "2 elements answer to it"),
        ("the third Save button", "there are only 2"),
        ("First name", "it can be read in more than one way"),
        ("the text field", "2 elements answer to it"),
        ("Sav", "no element on the screen is called that"),
        ('the star button next to "Mark Olsen"', "no element on the screen is called that"),
        ('the icon below the "Star" button', "no element on the screen is called that"),
        ('the "Star" button of "Mark Olsen"', "no element on the screen is called that"),
        ("the Star button at the left of the screen", "no element on the screen is called that"),
        ("the message", "no element on the screen is called that"),
        ("", "no element on the screen is called that"),
    ],
)
def test_words_that_may_mean_several_or_say_more_are_left_open_with_the_reason(words, why):
    assert read_target(SCREEN, words) == why


def test_a_cut_list_can_tell_ids_and_nothing_else():
    cut = Elements(SCREEN.items, truncated=True, detail="300 of 900")
    assert read_target(cut, "the Star button") == "the list of elements is cut (300 of 900)"
    assert read_target(cut, Ref("star")) is STAR


def test_what_is_off_the_screen_or_covered_is_not_meant():
    off = at("button", "Save", 0.1, 0.99, 0.2, 1.0, "offscreen", id="off")
    assert read_target(Elements((off, SAVE)), "Save") is SAVE
    assert read_target(Elements((off,)), Ref("off")) == "no element on the screen has the id 'off'"
    dialog = at("dialog", "Sure?", 0.0, 0.0, 0.5, 0.5)
    assert read_target(Elements((SAVE, dialog)), "Save") == "something else covers it"
    assert read_target(Elements((SAVE, dialog, SAVE_BELOW)), "Save") is SAVE_BELOW


def test_an_ordinal_counts_only_what_is_listed_in_the_order_in_which_it_is_read():
    left, right, below = (at("button", "Add", x, y, x + 0.1, y + 0.05) for x, y in ((0.1, 0.1), (0.5, 0.1), (0.1, 0.4)))
    assert read_target(Elements((left, right, below)), "the third Add button") is below
    out_of_order = Elements((left, below, right))
    assert read_target(out_of_order, "the third Add button") == "they are listed in another order than they stand in"


def test_a_disabled_or_differently_written_twin_is_still_a_twin():
    """The looser matching of the grounder `elements` prefers one of them; a verdict may not."""
    off = at("button", "SAVE", 0.5, 0.1, 0.6, 0.15, "disabled")
    assert read_target(Elements((SAVE, off)), "the Save button") == "2 elements answer to it"
    assert read_target(Elements((SAVE, off)), "the second Save button") is off


def test_two_controls_of_one_name_within_each_other_are_two():
    row, button = at("link", "Play", 0, 0, 1, 0.2), at("button", "Play", 0.8, 0.05, 0.9, 0.15)
    assert read_target(Elements((row, button)), "Play") == "2 elements answer to it"
    assert read_target(Elements((row, button)), "the Play button") is button


def test_a_name_without_a_kind_means_a_control_or_a_row_rather_than_a_heading_if_there_is_but_one():
    folder, row, title = (
        at(role, "Work", 0.1, y, 0.4, y + 0.05) for role, y in (("treeitem", 0.1), ("row", 0.3), ("heading", 0.5))
    )
    assert read_target(Elements((folder, title)), "Work") is folder
    assert read_target(Elements((row, title)), 'the "Work"') is row
    assert read_target(Elements((folder, row, title)), "Work") == "2 elements answer to it"
    assert read_target(Elements((folder, row, title)), "the Work heading") is title


def test_what_a_press_reaches_is_the_topmost_control_then_the_row():
    assert element_at(SCREEN, Point(0.15, 0.12)) is SAVE
    assert element_at(SCREEN, Point(0.2, 0.62)) is ROW
    assert element_at(SCREEN, Point(0.92, 0.64)) is STAR
    assert element_at(SCREEN, Point(0.5, 0.55)) is HEADING
    assert element_at(SCREEN, Point(0.5, 0.99)) is None
    dialog = at("dialog", "Sure?", 0.0, 0.0, 0.5, 0.5)
    yes = at("button", "Yes", 0.1, 0.1, 0.2, 0.2)
    assert element_at(Elements((SAVE, dialog)), SAVE.box.center) is dialog
    assert element_at(Elements((SAVE, dialog, yes)), SAVE.box.center) is yes


def test_a_point_lies_on_an_element_but_not_on_another_control_within_it():
    assert lies_on(SCREEN, ROW, Point(0.2, 0.62))
    assert not lies_on(SCREEN, ROW, Point(0.92, 0.64))
    assert lies_on(SCREEN, STAR, Point(0.92, 0.64))
    assert not lies_on(SCREEN, STAR, Point(0.2, 0.62))
    assert not lies_on(SCREEN, SAVE, Point(0.15, 0.38))


def test_a_control_in_the_middle_of_what_was_asked_for_does_not_make_its_centre_wrong():
    card, button = at("article", "Card", 0, 0, 1, 0.2), at("button", "Open", 0.4, 0.05, 0.6, 0.15)
    assert lies_on(Elements((card, button)), card, Point(0.5, 0.1))


def test_the_label_of_a_button_is_the_button():
    only = Elements((SAVE, at("text", "Save now", 0.12, 0.11, 0.18, 0.14)))
    asked = read_target(only, "Save now")
    assert asked is only.items[1]
    assert lies_on(only, asked, Point(0.11, 0.12)) and not lies_on(only, asked, Point(0.11, 0.2))
    # A row is not: what is pressed beside a text in it may be another thing.
    assert not lies_on(SCREEN, ROW_TIME, Point(0.5, 0.65))


words = st.sampled_from(["Save", "save", "First", "Open file", "Log in", "Tab", "#3", "button", 'say "hi"', "", "…"])
roles = st.sampled_from("button text textbox checkbox listitem row heading link tab slider image dialog time".split())
sides = st.integers(0, 20)


@st.composite
def screens(draw: st.DrawFn) -> Elements:
    found = []
    for number in range(draw(st.integers(1, 8))):
        left, top, width, height = draw(sides), draw(sides), draw(st.integers(1, 8)), draw(st.integers(1, 4))
        box = Box(left / 30, top / 30, (left + width) / 30, (top + height) / 30)
        states = draw(st.sampled_from([(), (), ("offscreen",), ("disabled",)]))
        found.append(Element(draw(roles), draw(words), box, frozenset(states), f"e{number}"))
    return Elements(tuple(found))


@given(screens())
def test_a_description_leads_back_to_its_element_and_its_centre_lies_on_it(screen):
    for element in screen:
        phrase = describe_element(screen, element)
        if phrase is not None:
            assert read_target(screen, phrase) is element
        if "offscreen" not in element.states:
            assert read_target(screen, Ref(element.id)) is element
            assert lies_on(screen, element, element.box.center)


@given(screens(), st.lists(words, max_size=3), st.sampled_from(["button", "row", "second", "icon", ""]))
def test_words_are_read_as_something_on_the_screen_or_not_at_all(screen, said, kind):
    phrase = " ".join([*said, kind])
    meant = read_target(screen, phrase)
    if isinstance(meant, Element):
        assert meant in screen.items and "offscreen" not in meant.states
        others = Elements(tuple(one for one in screen if one is not meant))
        assume(meant not in others.items)
        assert read_target(others, phrase) is not meant
    else:
        assert meant


@given(screens(), st.builds(Point, st.floats(0, 1), st.floats(0, 1)))
def test_what_a_point_hits_lies_there_and_is_on_the_screen(screen, point):
    hit = element_at(screen, point)
    there = [one for one in screen if one.box.contains(point) and "offscreen" not in one.states]
    assert (hit is None) == (not there)
    assert hit is None or (hit in there and lies_on(screen, hit, point))


def test_on_the_screens_of_duet_the_press_reaches_what_the_world_itself_hits_and_most_elements_have_words():
    """The hit test of the embedded world is independent of the element list: at every control's centre they agree."""
    suite, eyes = Duet(), ElementsGrounder()
    world = suite.world(Thinking())
    agree, controls, described, listed = 0, 0, 0, 0
    for info in suite.tasks()[::24]:
        task = suite.instantiate(info.id, 0)
        task.setup(world)
        for move in task.solution(world):
            for env in world.envs.values():
                tree, scene = env.ui_tree(), env._capture.scene(world.state())
                for element in tree:
                    x, y = element.box.center.x * scene.size.width, element.box.center.y * scene.size.height
                    control = scene.hit(int(x), int(y))
                    phrase = describe_element(tree, element)
                    listed, described = listed + 1, described + (phrase is not None)
                    if control is not None and control.id:
                        controls += 1
                        agree += element_at(tree, element.box.center).id == control.id
            if isinstance(move.intent, Wait):
                world.wait(move.intent.seconds)
            elif move.intent.kind not in CONTROL_VERBS:
                device = world.envs[move.env or next(iter(world.envs))]
                device.act(
                    resolve(
                        move.intent,
                        lambda place, device=device: eyes.ground(device.observe({"elements"}, world.now), place).point,
                    )
                )
    assert controls > 200 and agree == controls
    assert described >= 0.98 * listed
