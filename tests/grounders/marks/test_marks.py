"""Set-of-Marks: what is marked, how it is numbered, and what is drawn."""

from __future__ import annotations

import math
import random
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import strategies  # noqa: F401
from hide_packages import hidden
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import Box, ConfigError, Element, Elements, Image, MissingExtra, Observation, Size
from omnipilot.grounders import MarksGrounder
from omnipilot.grounders.marks.drawing import draw_marks, luminance
from omnipilot.grounders.marks.filter import choose_as_crab, choose_candidates, likeness, within
from omnipilot.grounders.marks.marks import mark
from omnipilot.grounders.marks.plate_placement import Ink, place_plates
from omnipilot.memory.perception import EasyOcrReader, shared_easy_reader

SIZE = Size(400, 300)


def at(left, top, right, bottom, role="button", name="", source="tree", **more):
    return Element(role, name, Box.from_pixels(left, top, right, bottom, SIZE), source=source, **more)


def line(left, top, right, bottom, name):
    return at(left, top, right, bottom, "text", name, "ocr")


def widget(left, top, right, bottom, role="icon"):
    return at(left, top, right, bottom, role, "", "detector")


def names(tree=(), lines=(), widgets=()):
    return [(one.role, one.name) for one in choose_candidates(tree, lines, widgets, SIZE)]


def test_boxes_are_compared_by_intersection_over_union():
    one, other = at(0, 0, 10, 10).box, at(5, 0, 15, 10).box
    assert likeness(one, other) == pytest.approx(1 / 3)
    assert likeness(one, one) == pytest.approx(1) and likeness(one, at(10, 0, 20, 10).box) == 0
    assert within(at(1, 1, 5, 5).box, one) and not within(one, at(1, 1, 5, 5).box) and not within(other, one)


def test_of_a_button_its_words_and_its_detection_the_button_is_marked_with_the_words_as_its_name():
    button, text, found = at(10, 10, 90, 40), line(20, 15, 80, 35, "Save"), widget(11, 11, 89, 39, "button")
    assert names([button], [text], [found]) == [("button", "Save")]
    assert names([], [text], [found]) == [("button", "Save")]
    assert names([], [text], []) == [("text", "Save")]
    assert names([replace(button, name="Store")], [text]) == [("button", "Store")]


def test_parts_of_a_target_are_not_marked_but_targets_in_it_are():
    row = at(0, 0, 400, 50, "listitem", "Ann")
    inside = at(60, 5, 200, 20, "text", "see you"), at(340, 10, 390, 40, "switch", "Mute")
    assert names([row, *inside], [line(60, 30, 200, 45, "at noon")], [widget(10, 10, 40, 40)]) == [
        ("listitem", "Ann"),
        ("switch", "Mute"),
    ]


def test_what_only_holds_others_is_not_marked():
    pane = at(0, 0, 400, 300, "region", "Page")
    assert names([pane, at(10, 10, 50, 30, name="Go")]) == [("button", "Go")]
    around = widget(2, 2, 98, 48, "button"), widget(10, 10, 90, 40, "button")
    assert [one.box for one in choose_candidates((), (), around, SIZE)] == [around[1].box]
    bar = widget(0, 0, 400, 40, "button")
    assert names((), (), [bar, widget(10, 10, 30, 30), widget(100, 10, 120, 30)]) == [("icon", "")] * 2
    assert names((), [line(5, 5, 60, 20, "One"), line(5, 22, 60, 38, "Two")], [bar]) == [
        ("text", "One"),
        ("text", "Two"),
    ]


def test_words_and_an_icon_far_from_them_are_two_things_on_a_bar():
    bar, title, close = widget(0, 0, 400, 30, "button"), line(10, 5, 60, 25, "Mail"), widget(370, 5, 390, 25)
    assert names((), [title], [bar, close]) == [("text", "Mail"), ("icon", "")]
    assert names((), [title], [bar, widget(70, 5, 90, 25)]) == [("button", "Mail")]


def test_what_is_offscreen_covered_or_without_area_is_not_marked():
    below = at(10, 10, 60, 30, name="Below")
    dialog = at(0, 0, 200, 100, "dialog", "Sure?")
    assert names([below, dialog, at(20, 60, 80, 90, name="Yes")]) == [("button", "Yes")]
    assert names([at(0, 0, 50, 20, name="Gone", states=frozenset({"offscreen"})), at(5, 5, 5, 9, name="Flat")]) == []


def test_of_two_detections_nearly_in_one_place_the_first_is_marked_and_elements_are_told_apart():
    near = widget(100, 100, 110, 110), widget(103, 103, 121, 111)
    assert len(names((), (), near)) == 2
    assert len(names((), (), [widget(10, 10, 90, 40, "button")] * 2)) == 1
    assert len(names((), (), (near[0], widget(101, 104, 112, 112)))) == 1
    assert len(names((at(100, 100, 104, 110), at(104, 100, 108, 110)))) == 2


def test_numbers_begin_at_1_and_run_in_reading_order():
    seen = observation([at(200, 12, 250, 30, name="b"), at(10, 100, 60, 120, name="c"), at(10, 10, 60, 28, name="a")])
    marks = mark(seen, ["elements"])
    assert marks.text() == '[1] button "a"\n[2] button "b"\n[3] button "c"'
    assert marks.by_number(1).element.name == "a" and marks.by_number(3).element.name == "c"
    assert [marks.by_number(number) for number in (0, -1, 4)] == [None] * 3


def test_the_list_says_what_a_field_holds_and_in_which_state_things_are():
    field = at(0, 0, 90, 30, "textbox", "To", value="lee", states=frozenset({"focused"}))
    long = at(0, 50, 90, 70, name="x " * 100)
    first, second = mark(observation([field, long]), ["elements"]).text().splitlines()
    assert first == '[1] textbox "To" = "lee" (focused)' and second.endswith('…"') and len(second) < 100


def observation(items, pixels=None):
    grey = np.full((SIZE.height, SIZE.width, 3), 240, np.uint8) if pixels is None else pixels
    return Observation("pc", 0.0, SIZE, Image.from_array(grey), Elements(tuple(items)))


boxes = st.tuples(*[st.integers(0, 380), st.integers(0, 280), st.integers(1, 120), st.integers(1, 90)]).map(
    lambda b: (b[0], b[1], min(400, b[0] + b[2]), min(300, b[1] + b[3]))
)
roles = st.sampled_from(["button", "text", "listitem", "region", "image"])
trees = st.lists(st.builds(lambda box, role, name: at(*box, role, name), boxes, roles, st.text("ab", max_size=2)))
found = st.lists(st.builds(lambda box, role: widget(*box, role), boxes, st.sampled_from(["icon", "button", "textbox"])))
read = st.lists(st.builds(lambda box, name: line(*box, name), boxes, st.text("ab", min_size=1, max_size=3)))


@given(trees, read, found)
def test_whatever_there_is_every_mark_is_there_once_and_the_same_each_time(tree, lines, widgets):
    marked = choose_candidates(tree, lines, widgets, SIZE)
    assert marked == choose_candidates(tree, lines, widgets, SIZE)
    given_boxes = {one.box for one in [*tree, *lines, *widgets]}
    assert all(one.box in given_boxes for one in marked) and len(set(map(id, marked))) == len(marked)
    seen_only = [one for one in marked if one.source != "tree"]
    assert all(likeness(a.box, b.box) < 0.5 for i, a in enumerate(seen_only) for b in seen_only[:i])


@given(trees)
def test_the_drawn_number_and_the_listed_number_are_the_same_thing(items):
    marks = mark(observation(items), ["elements"])
    assert [int(number) for number in re.findall(r"^\[(\d+)\]", marks.text(), re.MULTILINE)] == [
        one.number for one in marks.items
    ]
    assert [one.number for one in marks.items] == list(range(1, len(marks.items) + 1))
    assert marks.image.size == SIZE and marks.image == mark(observation(items), ["elements"]).image
    if marks.items:
        assert marks.image != marks.screenshot


@pytest.mark.parametrize("shade", [0, 40, 128, 215, 255])
@pytest.mark.parametrize("size", [Size(160, 210), Size(412, 916), Size(1280, 800), Size(3840, 2160)], ids=str)
def test_outline_and_number_stand_out_on_every_shade(size, shade):
    screen = Image.from_array(np.full((size.height, size.width, 3), shade, np.uint8))
    picture = draw_marks(screen, {8: Box(0.3, 0.3, 0.7, 0.7)}).array().astype(int)
    changed = picture[np.any(picture != shade, axis=2)]
    colors, counts = np.unique(changed, axis=0, return_counts=True)
    outline = colors[counts.argmax()]
    assert ratio(luminance(outline), luminance([shade] * 3)) >= 3
    contrasts = [ratio(luminance(color), luminance(outline)) for color in colors]
    assert sum(count for count, contrast in zip(counts, contrasts, strict=True) if contrast >= 4.5) >= 20


def ratio(one, other):
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def test_plates_lie_on_the_screen_beside_letters_and_apart_from_one_another():
    pixels = np.full((300, 400, 3), 255, np.uint8)
    rects = {n: (40 + 90 * (n % 4), 40 + 60 * (n // 4), 100 + 90 * (n % 4), 70 + 60 * (n // 4)) for n in range(16)}
    for left, top, right, bottom in rects.values():
        pixels[top + 8 : bottom - 8 : 2, left + 2 : right - 2] = 0
    plates = place_plates(Ink(pixels), rects, dict.fromkeys(rects, (18, 14)), 2)
    taken = np.zeros((300, 400), int)
    for left, top, right, bottom in plates.values():
        assert 0 <= left < right <= 400 and 0 <= top < bottom <= 300
        taken[top:bottom, left:right] += 1
        assert (pixels[top:bottom, left:right] == 0).mean() < 0.1
    assert taken.max() == 1


def test_an_unknown_source_is_refused_with_those_there_are():
    for sources in (["tree"], []):
        with pytest.raises(
            ConfigError, match="choose from elements, ocr, easyocr, detector, detact, grounding-dino, omniparser"
        ):
            mark(observation([]), sources)


class Stand:
    """Stands for EasyOCR's reader: its results are corners from the top left on, clockwise, text and confidence."""

    def __init__(self, *found: tuple[str, tuple[int, int, int, int]]) -> None:
        self.found, self.asked = found, list[tuple[tuple[int, ...], float]]()

    def readtext(self, pixels: Any, text_threshold: float) -> list[Any]:
        self.asked.append((pixels.shape, text_threshold))
        return [([[a, b], [c, b], [c, d], [a, d]], text, 0.9) for text, (a, b, c, d) in self.found]


def test_text_is_read_by_easyocr_as_crab_asks_it() -> None:
    stand = Stand(
        ("Save", (10, 20, 60, 40)), ("beyond", (-3, 20, 60, 40)), ("tilted", (60, 20, 10, 40)), (" ", (1, 1, 9, 9))
    )
    reader = EasyOcrReader(loaded=stand)
    screen = Image.raw(Size(200, 100), bytes(60_000), "pc")
    read = reader.read(screen)
    assert [(one.name, one.role, one.source) for one in read.elements] == [("Save", "text", "ocr")]
    assert read.elements.items[0].box == Box.from_pixels(10, 20, 60, 40, screen.size)
    assert reader.read(screen).known and stand.asked == [((100, 200, 3), 0.9)]
    marks = mark(Observation("pc", 0.0, screen.size, screen), ("easyocr",), reader=reader)
    assert marks.text() == '[1] text "Save"'


def test_easyocr_is_an_extra_and_the_error_says_what_does_without() -> None:
    with hidden("easyocr", "torch"):
        shared_easy_reader.cache_clear()
        with pytest.raises(MissingExtra, match=r"omnipilot\[easyocr\].*do without: .*sources=ocr,detector"):
            MarksGrounder("easyocr")
        with pytest.raises(MissingExtra, match=r"omnipilot\[local\].*do without: .*sources=ocr,detector"):
            MarksGrounder("grounding-dino")
    with pytest.raises(ConfigError, match="name one of them"):
        MarksGrounder("ocr,easyocr")
    with pytest.raises(ConfigError, match="distinct or crab"):
        MarksGrounder("elements", "best")


def released_choice(boxes: list[tuple[int, ...]], icons: int, width: int, height: int) -> list[tuple[int, ...]]:
    """What CRAB's released code keeps, written after it: of boxes in pixels, the last `icons` of which are icons."""

    def likeness(a: tuple[int, ...], b: tuple[int, ...]) -> float:
        wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        common = max(0, wide) * max(0, high)
        areas = sum((c[2] - c[0]) * (c[3] - c[1]) for c in (a, b))
        return common / (areas - common)

    def sifted(found: list[tuple[int, ...]], drop: Any) -> list[tuple[int, ...]]:
        gone: set[int] = set()
        for i in range(len(found)):
            if i not in gone:
                gone |= {j for j in range(len(found)) if i != j and drop(found[i], found[j], i, j)}
        return [box for i, box in enumerate(found) if i not in gone]

    def center(box: tuple[int, ...]) -> tuple[float, float]:
        return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2

    texts, seen = boxes[: len(boxes) - icons], boxes[len(boxes) - icons :]
    seen = sifted(seen, lambda a, b, i, j: j > i and likeness(a, b) >= 0.5)
    kept = sifted([*texts, *seen], lambda a, b, i, j: all((a[0] >= b[0], a[1] >= b[1], a[2] <= b[2], a[3] <= b[3])))
    reach = round(max(width, height) / 80)
    return sifted(kept, lambda a, b, i, j: j > i and math.dist(center(a), center(b)) < reach)


@pytest.mark.parametrize("seed", range(40))
def test_crabs_choice_is_that_of_its_released_code(seed: int) -> None:
    # Sides that are powers of two, so that no rounding decides which of two areas is larger.
    rng, size = random.Random(seed), Size(512, 256)
    boxes = []
    for _ in range(rng.randint(1, 24)):
        left, top = rng.randrange(0, 51) * 10, rng.randrange(0, 25) * 10
        boxes.append((left, top, min(512, left + rng.randint(1, 9) * 10), min(256, top + rng.randint(1, 6) * 10)))
    icons = rng.randint(0, len(boxes))
    made = [Element("x", str(box), Box.from_pixels(*box, size)) for box in boxes]
    found = choose_as_crab((), made[: len(made) - icons], made[len(made) - icons :], size)
    assert [one.name for one in found] == [str(box) for box in released_choice(boxes, icons, 512, 256)]
