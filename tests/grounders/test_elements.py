"""The elements grounder: which element answers to a description, and when it abstains."""

from __future__ import annotations

import pytest
from scripted import element, view

from omnipilot.envs import Absent, Box, Element, Elements
from omnipilot.envs.types.actions import Ref
from omnipilot.grounders import Abstention, ElementsGrounder, Grounding

SCREEN = (
    element("Inbox", "heading", 0),
    element("Save", "button", 1, id="save"),
    element("Save as draft", "link", 2),
    element("Tab #2", "tab", 3),
    element("Username", "textbox", 4),
    element("Remember me", "checkbox", 5),
    element("ok", "button", 6),
    element("Save", "text", 7),
    element("SENT", "link", 8, states=frozenset({"disabled"})),
    element("", "textbox", 9),
)


def ground(target, items=SCREEN):
    return ElementsGrounder().ground(view("pc", items), target)


def row(found):
    assert isinstance(found, Grounding), found
    return int(found.point.y * 10)


@pytest.mark.parametrize(
    ("target", "where"),
    [
        ("Save", 1),
        ("the Save button", 1),
        ('the "Save" button', 1),
        ('the button labeled "Save"', 1),
        ("Save as draft", 2),
        ('the link "Save as draft"', 2),
        ("Tab #2", 3),
        ("the Username field", 4),
        ("username text field", 4),
        ("first textbox", 4),
        ("the 2nd text field", 9),
        ("the last textbox", 9),
        ("Remember me checkbox", 5),
        ("remember", 5),
        ("OK", 6),
        ("the Sent link", 8),
        ("Inbox", 0),
        (Ref("save"), 1),
    ],
)
def test_what_answers_to_a_description(target, where):
    assert row(ground(target)) == where


def test_it_points_at_the_middle_of_the_box():
    found = ground("Tab #2")
    assert found.box == SCREEN[3].box and found.point == SCREEN[3].box.center


@pytest.mark.parametrize("target", ["the Delete button", "xyzzy", Ref("gone"), "the third textbox"])
def test_what_is_not_there_is_not_found(target):
    found = ground(target)
    assert isinstance(found, Abstention) and found.reason == "not_found"


def test_not_found_lists_the_nearest_names():
    found = ground("Usernam3")
    assert found.reason == "not_found" and "'Username'" in found.detail


def test_alike_elements_are_ambiguous_and_all_are_named():
    twins = (element("OK", row=1), element("OK", row=5), element("Cancel", row=7))
    found = ground("OK", twins)
    assert isinstance(found, Abstention) and found.reason == "ambiguous"
    assert found.detail.count("'OK'") == 2 and "Cancel" not in found.detail
    assert row(ground("the second OK button", twins)) == 5


def test_of_alike_elements_the_enabled_one_is_meant():
    assert row(ground("OK", (element("OK", row=1, states=frozenset({"disabled"})), element("OK", row=5)))) == 5


def test_of_alike_elements_the_one_that_is_not_covered_is_meant():
    under, over = element("OK", row=1), Element("button", "OK", Box(0.4, 0.5, 0.6, 0.6))
    dialog = Element("dialog", "Sure?", Box(0.0, 0.0, 1.0, 0.9))
    assert ground("OK", (under, dialog, over)).box == over.box


def test_an_element_and_the_text_in_it_are_one_place():
    inner = Element("text", "OK", Box(0.4, 0.11, 0.6, 0.17))
    assert row(ground("OK", (element("OK", row=1), inner))) == 1
    twin = Element("link", "OK", Box(0.4, 0.11, 0.6, 0.17))
    assert row(ground("OK", (element("OK", row=1), twin))) == 1


def test_an_element_out_of_view_is_not_found_with_the_advice_to_scroll():
    hidden = element("Far", row=9, id="far", states=frozenset({"offscreen"}))
    for target in ("Far", Ref("far")):
        found = ground(target, (*SCREEN, hidden))
        assert isinstance(found, Abstention) and found.reason == "not_found" and "scroll" in found.detail


def test_an_id_is_known_in_words_too_by_its_sign():
    assert ground("#save") == ground(Ref("save"))
    assert isinstance(ground("save-2"), Abstention) and isinstance(ground("#save-2"), Abstention)
    assert row(ground("#2", (element("Channel", "tab", 1), element("#2", "tab", 3)))) == 3


def test_without_elements_it_has_no_view():
    observation = view("pc", None)
    found = ElementsGrounder().ground(observation, "Save")
    assert isinstance(found, Abstention) and (found.reason, observation.elements) == ("no_view", Absent("ablated"))
    assert "ablated" in found.detail


def test_a_truncated_list_is_mentioned():
    from dataclasses import replace

    cut = replace(view("pc", ()), elements=Elements(SCREEN[:2], True, "capped at 2"))
    for target in ("Remember me", Ref("9")):
        assert "capped at 2" in ElementsGrounder().ground(cut, target).detail
