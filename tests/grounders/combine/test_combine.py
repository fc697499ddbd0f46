"""Grounders made of grounders: cascade, zoom and vote."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import strategies
from hypothesis import assume, given
from hypothesis import strategies as st
from scripted import element, view
from scripted_grounders import ONE, SEEN, Says, here, no

from omnipilot.envs import Absent, Box, ConfigError, Elements, Image, Modality, Observation, Point, Size
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.envs.types.actions import Ref
from omnipilot.grounders import (
    Abstention,
    CascadeGrounder,
    ElementsGrounder,
    Grounder,
    Grounding,
    MarksGrounder,
    VoteGrounder,
    ZoomGrounder,
)
from omnipilot.grounders.combine.zoom import around, point_back
from omnipilot.memory import ModelUnavailable


class ElementsOnly(Says):
    """Says nothing of what it reads."""

    reads = ALL_MODALITIES


@given(st.lists(st.booleans(), min_size=1, max_size=6))
def test_a_cascade_asks_in_order_until_one_finds_it_and_tells_the_whole_cost(finds):
    inner = [Says(here(n / 10, 0.5) if found else no()) for n, found in enumerate(finds)]
    result = CascadeGrounder(inner).ground(SEEN, "x")
    first = finds.index(True) if True in finds else None
    asked = len(finds) if first is None else first + 1
    assert [len(one.asked) for one in inner] == [1] * asked + [0] * (len(finds) - asked)
    assert (result.usage.calls, result.usage.cost) == (asked, 0.5 * asked)
    assert isinstance(result, Abstention) if first is None else result.point == Point(first / 10, 0.5)


@pytest.mark.parametrize(
    ("reasons", "reason"),
    [
        (("not_found", "ambiguous"), "ambiguous"),
        (("refused", "not_found"), "not_found"),
        (("unparsable", "refused"), "unparsable"),
        (("no_view", "no_view"), "no_view"),
    ],
)
def test_a_cascade_that_abstains_tells_what_each_said(reasons, reason):
    found = CascadeGrounder([Says(no(one, f"said {n}")) for n, one in enumerate(reasons)]).ground(SEEN, "x")
    assert found.reason == reason
    assert found.detail == f"says ({reasons[0]}): said 0; says ({reasons[1]}): said 1"


def test_a_cascade_needs_what_all_need_and_reads_what_any_reads():
    both = CascadeGrounder([Says(needs={"elements", "screenshot"}), Says(needs={"screenshot", "audio"})])
    assert both.needs == {"screenshot"} and both.reads == {"elements", "screenshot", "audio"}
    assert CascadeGrounder([ElementsGrounder(), Says()]).needs == frozenset()


def test_a_cascade_whose_model_is_gone_does_not_go_on_as_another_one():
    with pytest.raises(ModelUnavailable):
        CascadeGrounder([Says(ModelUnavailable("gone")), Says(here(0.1, 0.1))]).ground(SEEN, "x")


def test_cascades_that_make_no_sense_are_refused():
    with pytest.raises(ConfigError, match="at least one"):
        CascadeGrounder([])
    with pytest.raises(ConfigError, match="only one of several grounders may number marks"):
        CascadeGrounder([MarksGrounder("elements"), VoteGrounder(MarksGrounder("elements"))])


class Perfect(Grounder):
    """Finds the red rectangle on whatever picture it is shown, exactly."""

    needs = reads = frozenset({Modality.SCREENSHOT})

    def __init__(self):
        self.sizes = []

    def ground(self, observation, target):
        assert observation.size == observation.screenshot.size
        self.sizes.append(observation.size)
        red = observation.screenshot.array()[:, :, 0] > 127
        rows, columns = np.flatnonzero(red.any(axis=1)), np.flatnonzero(red.any(axis=0))
        if not rows.size:
            return no()
        box = Box.from_pixels(columns[0], rows[0], columns[-1] + 1, rows[-1] + 1, observation.size)
        return Grounding(box.center, box, usage=ONE)


def picture(size, left, top, right, bottom):
    pixels = np.zeros((size.height, size.width, 3), np.uint8)
    pixels[top:bottom, left:right, 0] = 255
    return Observation("pc", 1.0, size, Image.from_array(pixels, "pc", 1.0))


@given(st.data())
def test_a_perfect_grounder_stays_perfect_when_it_is_asked_to_zoom(data):
    size = Size(data.draw(st.integers(1, 500)), data.draw(st.integers(1, 400)))
    left, top = data.draw(st.integers(0, size.width - 1)), data.draw(st.integers(0, size.height - 1))
    right, bottom = data.draw(st.integers(left + 1, size.width)), data.draw(st.integers(top + 1, size.height))
    crop, least = data.draw(st.floats(0.05, 0.95)), data.draw(st.integers(1, 300))
    inner = Perfect()
    seen = picture(size, left, top, right, bottom)
    found = ZoomGrounder(inner, crop, least).ground(seen, "the red one")
    truth = Box.from_pixels(left, top, right, bottom, size)
    fits = right - left <= inner.sizes[-1].width and bottom - top <= inner.sizes[-1].height
    if fits and inner.sizes[-1] != size:
        rect = around(truth.center, size, crop, least)
        assume(rect[0] <= left and rect[1] <= top and right <= rect[2] and bottom <= rect[3])
    if fits:
        assert found.point.to_pixels(size) == pytest.approx(truth.center.to_pixels(size), abs=1e-6)
        assert found.box.to_pixels(size) == pytest.approx((left, top, right, bottom), abs=1e-6)
    assert truth.contains(found.point) or found.point.to_pixels(size) == pytest.approx(truth.center.to_pixels(size))
    assert found.usage.calls == len(inner.sizes)


@given(strategies.points, strategies.sizes, st.floats(0.01, 0.99), st.integers(1, 2000), strategies.points)
def test_a_crop_lies_on_the_screen_around_its_point_and_maps_back_into_itself(point, size, crop, least, inside):
    left, top, right, bottom = around(point, size, crop, least)
    assert 0 <= left < right <= size.width and 0 <= top < bottom <= size.height
    assert right - left >= min(size.width, least) and bottom - top >= min(size.height, least)
    x, y = point.to_pixels(size)
    assert left - 0.5 <= x <= right + 0.5 and top - 0.5 <= y <= bottom + 0.5
    back = point_back(inside, (left, top, right, bottom), size).to_pixels(size)
    wanted = left + inside.x * (right - left), top + inside.y * (bottom - top)
    assert back == pytest.approx(wanted, abs=1e-6)


def test_zoom_falls_back_on_the_first_answer_and_tells_the_cost_of_both():
    inner = Says(here(0.9, 0.1, confidence=0.5), no())
    found = ZoomGrounder(inner, 0.5, 10).ground(picture(Size(200, 100), 0, 0, 1, 1), "x")
    assert found == Grounding(Point(0.9, 0.1), None, 0.5, ONE + ONE)
    assert inner.asked[1][0].size == Size(100, 50)


def test_zoom_asks_once_about_ids_abstentions_and_where_there_is_nothing_to_crop():
    seen = picture(Size(200, 100), 0, 0, 1, 1)
    for observation, target, answer in (
        (seen, Ref("7"), here(0.5, 0.5)),
        (seen, "x", no()),
        (replace(seen, screenshot=Absent("ablated")), "x", here(0.5, 0.5)),
    ):
        inner = Says(answer)
        assert ZoomGrounder(inner, 0.5, 10).ground(observation, target) is answer and len(inner.asked) == 1
    inner = Says(here(0.5, 0.5))
    assert ZoomGrounder(inner, 0.5, 256).ground(seen, "x").usage.calls == len(inner.asked) == 1


def test_zoom_shows_the_elements_of_the_crop_and_may_enlarge_it():
    items = Elements((element("Save", row=1, id="s"), element("Far", row=9, id="f")))
    seen = replace(picture(Size(200, 100), 20, 10, 40, 20), elements=items)
    found = ZoomGrounder(ElementsGrounder(), 0.3, 10).ground(seen, "Save")
    assert found.box.top == pytest.approx(0.1) and found.box.bottom == pytest.approx(0.18)
    inner = Perfect()
    found = ZoomGrounder(inner, 0.3, 10, enlarge=3).ground(seen, "x")
    assert inner.sizes == [Size(200, 100), Size(180, 90)]
    assert found.point.to_pixels(seen.size) == pytest.approx((30, 15), abs=0.5)
    assert ZoomGrounder(Says(needs={"audio"})).reads == {"audio", "screenshot"}


@pytest.mark.parametrize("options", [{"crop": 0}, {"crop": 1.0}, {"least": 0}, {"enlarge": 0}, {"enlarge": 9}])
def test_a_zoom_that_makes_no_sense_is_refused(options):
    with pytest.raises(ConfigError, match="grounder 'zoom'"):
        ZoomGrounder(Says(), **options)


def test_combined_grounders_show_what_the_one_they_ask_shows():
    seen = view("pc", (element("Save", id="s"),))
    for one in (ZoomGrounder(MarksGrounder("elements")), VoteGrounder(CascadeGrounder([MarksGrounder("elements")]))):
        assert one.annotate(seen) == ('[1] button "Save"',) and one.annotates
    assert VoteGrounder(Says()).annotate(seen) == () and not VoteGrounder(Says()).annotates
