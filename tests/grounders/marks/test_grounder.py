"""The grounder `marks`: what a number, an id or a word means on this screen, and on one that has changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scripted import element, view

from omnipilot.envs import Absent, ConfigError, Image, MissingExtra, Modality, Size
from omnipilot.envs.types.actions import Ref
from omnipilot.grounders import Abstention, Grounding, MarksGrounder

ITEMS = (
    element("Save", row=0, id="save"),
    element("OK", row=2, id="7"),
    element("OK", row=4, id="b"),
    element("Seven", row=6, id="99"),
)


def row(found):
    assert isinstance(found, Grounding), found
    return int(found.point.y * 10)


def marked(items=ITEMS):
    grounder, seen = MarksGrounder("elements"), view("pc", items)
    grounder.annotate(seen)
    return grounder, seen


@pytest.mark.parametrize(
    ("target", "where"),
    [
        (Ref("1"), 0),
        (Ref("2"), 2),
        ("3", 4),
        ("mark 4", 6),
        ("the mark 4", 6),
        ("Mark [4]", 6),
        ("[1]", 0),
        ("#2", 2),
        ("number 3", 4),
        (Ref("save"), 0),
        (Ref("99"), 6),
        (Ref("7"), 2),
        ("Save", 0),
        ("the Seven button", 6),
        ("the second OK", 4),
        ("the last OK button", 4),
    ],
)
def test_numbers_of_marks_come_first_then_ids_then_names(target, where):
    grounder, seen = marked()
    assert row(grounder.ground(seen, target)) == where
    assert row(MarksGrounder("elements").ground(seen, target)) == where


def test_the_number_of_a_mark_wins_over_an_element_with_that_id():
    items = (element("Save", row=0, id="2"), element("Open", row=2, id="1"))
    grounder, seen = marked(items)
    assert (row(grounder.ground(seen, Ref("1"))), row(grounder.ground(seen, Ref("2")))) == (0, 2)


@pytest.mark.parametrize(
    ("target", "reason", "told"),
    [
        (Ref("5"), "not_found", "the marks of pc are 1 to 4"),
        ("mark 0", "not_found", "the marks of pc are 1 to 4"),
        (Ref("-1"), "not_found", "no mark and no element has the id '-1'"),
        (Ref("x9"), "not_found", "the marks of pc are 1 to 4"),
        ("OK", "ambiguous", '[2] button "OK"; [3] button "OK"; say its number'),
        ("the third OK", "not_found", "no mark is called so"),
        ("Print", "not_found", "1 to 4"),
    ],
)
def test_when_it_abstains_and_what_it_tells(target, reason, told):
    grounder, seen = marked()
    found = grounder.ground(seen, target)
    assert isinstance(found, Abstention) and found.reason == reason and told in found.detail, found


def test_without_anything_to_look_at_it_has_no_view():
    found = MarksGrounder("elements").ground(view("pc", None), Ref("1"))
    assert isinstance(found, Abstention) and found.reason == "no_view"
    assert MarksGrounder("elements").annotate(view("pc", None)) == ()


def test_on_a_changed_screen_a_number_is_the_same_thing_or_nothing():
    grounder, _ = marked()
    moved = view("pc", (element("New", row=0, id="n"), *(replace(one, box=ITEMS[3].box) for one in ITEMS[:1])))
    assert row(grounder.ground(moved, Ref("1"))) == 6
    gone = grounder.ground(moved, Ref("3"))
    assert isinstance(gone, Abstention) and gone.detail == '[3] button "OK" is no longer there; the screen has changed'
    hidden = view("pc", (replace(ITEMS[0], states=frozenset({"offscreen"})),))
    assert isinstance(grounder.ground(hidden, Ref("1")), Abstention)


def test_without_ids_a_thing_is_known_by_its_name_and_among_namesakes_by_its_place():
    items = tuple(replace(one, id=None) for one in ITEMS)
    grounder, _ = marked(items)
    moved = view("pc", (replace(items[0], box=items[3].box), items[1], replace(items[2], box=items[0].box)))
    assert row(grounder.ground(moved, Ref("1"))) == 6
    assert row(grounder.ground(moved, Ref("2"))) == 2
    assert isinstance(grounder.ground(moved, Ref("3")), Abstention)


def test_each_environment_has_its_own_numbers_and_a_new_annotation_replaces_the_old():
    grounder, seen = marked()
    phone = view("phone", ITEMS[3:])
    grounder.annotate(phone)
    assert (row(grounder.ground(phone, Ref("1"))), row(grounder.ground(seen, Ref("1")))) == (6, 0)
    grounder.annotate(view("pc", ITEMS[1:]))
    assert row(grounder.ground(view("pc", ITEMS[1:]), Ref("1"))) == 2


class Corner:
    """A detector that sees one thing, always in the same place."""

    def find(self, image, texts=()):
        return [replace(element("", "icon", row=1), source="detector")]


def screen(shade, corner=0):
    pixels = np.full((100, 200, 3), shade, np.uint8)
    pixels[12:18, 30:60] = corner
    return replace(view("pc", None), size=Size(200, 100), screenshot=Image.from_array(pixels))


def test_what_has_no_name_is_known_again_by_its_looks_in_its_place():
    grounder = MarksGrounder("detector", detectors=[Corner()])
    picture, listed = grounder.annotate(screen(250))
    assert listed == "[1] icon" and picture != screen(250).screenshot and picture.size == Size(200, 100)
    changed = screen(250)
    pixels = changed.screenshot.array().copy()
    pixels[80:90] = 10
    assert row(grounder.ground(replace(changed, screenshot=Image.from_array(pixels)), Ref("1"))) == 1
    assert isinstance(grounder.ground(screen(250, corner=200), Ref("1")), Abstention)
    assert isinstance(grounder.ground(screen(20), Ref("1")), Abstention)


def test_words_are_looked_up_among_granted_elements_where_no_mark_answers():
    grounder = MarksGrounder("detector", detectors=[Corner()])
    seen = replace(screen(250), elements=view("pc", ITEMS).elements)
    grounder.annotate(seen.only({Modality.SCREENSHOT}))
    assert row(grounder.ground(seen, "Seven")) == 6
    assert isinstance(grounder.ground(seen, Ref("1")), Grounding)
    assert isinstance(grounder.ground(replace(seen, elements=Absent("ablated")), "Seven"), Abstention)


@pytest.mark.parametrize(
    ("sources", "needs", "reads"),
    [
        ("elements", {"elements"}, {"elements", "screenshot"}),
        ("detector", {"screenshot"}, {"screenshot"}),
        ("elements, detector", set(), {"elements", "screenshot"}),
    ],
)
def test_what_it_needs_and_reads_follows_from_its_sources(sources, needs, reads):
    grounder = MarksGrounder(sources, detectors=[])
    assert (grounder.needs, grounder.reads) == (frozenset(needs), frozenset(reads))
    assert grounder.annotates


def test_a_wrong_source_and_a_missing_dependency_are_told_at_once(monkeypatch):
    with pytest.raises(ConfigError, match="unknown source of marks 'ocrr'"):
        MarksGrounder("elements,ocrr")
    with pytest.raises(ConfigError, match="marks need a source"):
        MarksGrounder(" , ")
    for source, module, extra in (("detector", "cv2", "marks"), ("omniparser", "ultralytics", "detect")):
        monkeypatch.setitem(__import__("sys").modules, module, None)
        with pytest.raises(MissingExtra, match=rf"pip install 'omnipilot\[{extra}\]'"):
            MarksGrounder(source)
