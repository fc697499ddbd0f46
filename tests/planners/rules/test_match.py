"""From phrases to elements and back, and the senses of the planner `rules`."""

from __future__ import annotations

import numpy as np
import pytest
from scripted import element, shade, view

from omnipilot.envs import AudioClip, Box, Element, Image, Size, VideoClip
from omnipilot.envs.types import describe
from omnipilot.envs.types.actions import Ref
from omnipilot.envs.types.element_query import likeness, matches
from omnipilot.envs.types.media import SAMPLE_RATE
from omnipilot.memory.perception.audio.reader import heard_digits
from omnipilot.planners.rules.matching.elements import field_for, legible, matching_elements, place_of, value_of
from omnipilot.planners.rules.matching.explore import next_unexplored
from omnipilot.planners.rules.matching.senses import hears, moves, moving, quiet, still


@pytest.mark.parametrize(
    ("phrase", "name", "role", "ordinal"),
    [
        ('the "Ok" button', "Ok", "button", None),
        ('the link "semper"', "semper", "link", None),
        ("the second text field", "", "textbox", 2),
        ("3rd checkbox", "", "checkbox", 3),
        ("last item", "", "listitem", -1),
        ('the button in the dialog box labeled "No"', "No", "button", None),
        ("button ONE", "ONE", "button", None),
        ("Username field", "Username", "textbox", None),
        ("Save", "Save", None, None),
        ('a "checkbox" widget', "", "checkbox", None),
        ("the trash icon", "trash", "image", None),
    ],
)
def test_describe(phrase, name, role, ordinal):
    found = describe(phrase)
    assert (found.name, found.ordinal) == (name, ordinal)
    assert role in found.roles if role else not found.roles


@pytest.mark.parametrize(
    ("wanted", "better", "worse"),
    [
        ("Save", "Save", "save"),
        ("save", "SAVE!", "Save as"),
        ("save", "Save as", "Save as a copy of it"),
        ("a b", "b a", "b"),
    ],
)
def test_likeness_falls(wanted, better, worse):
    assert 1 >= likeness(wanted, better) > likeness(wanted, worse) >= 0


def test_a_part_of_a_word_is_no_likeness():
    assert likeness("art", "Start") == 0


FORM = (
    element("Sign up", "heading", 0),
    element("Name", "label", 1),
    element("", "textbox", 2, id="f1"),
    element("Password", "label", 3),
    element("", "textbox", 4, id="f2"),
    element("Comment", "textbox", 5, id="f3", value="old"),
    element("Send", "button", 6),
)


@pytest.mark.parametrize(
    ("phrase", "id"),
    [
        ("name", "f1"),
        ("password", "f2"),
        ("comment field", "f3"),
        ("the 2nd field", "f2"),
        ("", "f1"),
        ("last field", "f3"),
    ],
)
def test_fields_are_found_by_name_label_or_order(phrase, id):
    assert field_for(phrase, FORM).id == id


def test_there_is_no_fourth_field():
    assert field_for("the fourth field", FORM) is None
    assert field_for("name", FORM[:2]) is None


def test_what_repeats_the_instruction_is_not_matched():
    said = 'Click on the "Ok" button.'
    page = (element("Click on the", "text", 0), element("“Ok” button.", "text", 1), element("Ok", "button", 4))
    assert legible(page, said) == [page[2]]
    assert legible(page[1:], said) == list(page[1:])


def test_of_alike_elements_the_one_beside_what_is_named_is_meant():
    page = [
        element("@ann", "text", 0),
        element("Like", "button", 1),
        element("@bob", "text", 5),
        element("Like", "button", 6),
    ]
    assert matching_elements('the "Like" button', page, near="@bob")[0] is page[3]
    mails = [element("Code", "listitem", 1, value="Ann Lee"), element("Code", "listitem", 2, value="Bo Ek")]
    assert matching_elements('"Code"', mails, near="Bo Ek") == [mails[1]]


def test_values():
    assert value_of("comment field", FORM, []) == "old"
    assert value_of("door code from Ann", (), ["Hi, the new code for the front door is 4821.", "12345"]) == "4821"
    assert value_of("address that Ann sent", (), ["We meet at 12 Elm Street."]) == "12 Elm Street"
    table = (Element("cell", "Height", Box(0, 0, 0.4, 0.1)), Element("cell", "5 ft", Box(0.5, 0, 0.9, 0.1)))
    assert value_of("Height", table, []) == "5 ft"
    assert value_of("Width", table, []) is None


def test_a_place_is_named_in_words_where_they_mean_it_alone():
    twins = (element("Go", "button", 1, id="a"), element("Go", "button", 5), element("Save", "button", 7, id="c"))
    assert place_of(twins[2], twins) == 'the "Save" button'
    assert place_of(twins[0], twins) == Ref("a")
    assert place_of(twins[1], twins) == twins[1].box.center
    assert [place_of(twins[2], twins, tries) for tries in (1, 2, 9)] == [Ref("c")] + [twins[2].box.center] * 2


def test_whatever_place_is_named_in_words_is_found_by_them():
    for one in FORM:
        place = place_of(one, FORM)
        if isinstance(place, str):
            assert matches(describe(place), FORM) == [one]


def sound(*parts):
    """Parts of (seconds, frequencies), as a clip."""
    waves = []
    for seconds, *pitches in parts:
        time = np.arange(int(seconds * SAMPLE_RATE)) / SAMPLE_RATE
        waves.append(sum((np.sin(2 * np.pi * pitch * time) for pitch in pitches), np.zeros(time.size)))
    return AudioClip.from_array((np.concatenate(waves) * 9000).astype(np.int16))


def test_hearing():
    loud, silent = sound((0.5, 440)), sound((0.5,))
    assert hears(view("pc", (), audio=loud)) is True and hears(view("pc", (), audio=silent)) is False
    assert hears(view("pc", ())) is None
    assert quiet(view("pc", (), audio=sound((0.5, 440), (0.6,)))) is True
    assert quiet(view("pc", (), audio=sound((0.6,), (0.1, 440)))) is False
    assert quiet(view("pc", (), audio=sound((0.1,)))) is False


def test_dialled_keys():
    one, nine, star = (697, 1209), (852, 1477), (941, 1209)
    pause = (0.08,)
    assert (
        heard_digits(sound(pause, (0.1, *one), pause, (0.1, *one), pause, (0.1, *nine), pause, (0.1, *star))) == "119*"
    )


@pytest.mark.parametrize("pitches", [(), (440,), (697,), (1209,), (523, 659, 784)])
def test_other_sounds_dial_nothing(pitches):
    assert heard_digits(sound((0.5, *pitches))) == ""


def frames(*shades, every=0.25):
    pictures = [shade(number, "pc", every * n) for n, number in enumerate(shades)]
    return VideoClip(pictures, every * len(shades), "pc")


def test_movement():
    assert moving(frames(0, 1)) and not moving(frames(3, 3, 3))
    assert moves(view("pc", (), video=frames(0, 1))) is True and moves(view("pc", ())) is None
    assert still(view("pc", (), video=frames(0, 1, 1, 1, 1))) is True
    assert still(view("pc", (), video=frames(0, 0, 0, 0, 1))) is False
    assert still(view("pc", (), video=frames(0))) is False


def test_a_blinking_caret_is_no_movement():
    size = Size(100, 100)
    blank = Image.raw(size, bytes(size.pixels * 3), "pc", 0.0)
    caret = bytearray(size.pixels * 3)
    caret[:9] = b"\xff" * 9
    assert not moving(VideoClip([blank, Image.raw(size, bytes(caret), "pc", 0.5)], 1.0, "pc"))


@pytest.mark.parametrize("role", ["option", "radio", "switch", "slider", "menuitemcheckbox"])
def test_what_is_to_be_chosen_leads_nowhere(role: str) -> None:
    """To look for the networks behind the ringtone would change it."""
    choice, button = element("Ringtone", role), element("Networks", "button")
    wanted = 'Choose the tune as "Ringtone", then open "Networks".'
    assert next_unexplored("phone", [choice, button], wanted, "", (), ()) == button
    assert next_unexplored("phone", [choice], wanted, "", (), ()) is None
