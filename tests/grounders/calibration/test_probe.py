"""The probe: a picture with five targets, a line through the answers, and the coordinate space they were written in."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from probe_places import AT

from omnipilot.envs import ConfigError, Modality, Observation, Point, Size
from omnipilot.envs.types.actions import Described
from omnipilot.envs.types.frames import Order, Space
from omnipilot.envs.types.resize import SmartResize
from omnipilot.grounders import Abstention, ElementsGrounder, Family, Grounder, Grounding, calibrate
from omnipilot.grounders.calibration import Calibration
from omnipilot.grounders.calibration.fit import ORDERS, SPACES, CoordinateReading, ProbePair, fit, readings
from omnipilot.grounders.calibration.targets import PAPER, SIZES, TARGETS, canvas
from omnipilot.grounders.families import families, get
from omnipilot.memory import Usage


@pytest.fixture(autouse=True)
def _drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omnipilot.grounders.calibration.probe.canvas", drawn)


drawn = functools.cache(canvas)


class Scripted(Grounder):
    """A grounder whose model sees perfectly: `say` writes its reply to a place and a sent size; the family reads it."""

    needs = frozenset({Modality.SCREENSHOT})

    def __init__(self, family: Family, say: Callable[[Point, Size, Size], str]) -> None:
        self.family, self._say = family, say

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        assert isinstance(target, str)
        sent = self.family.sent_size(observation.size)
        reply = self._say(AT[target], sent, observation.size)
        return replace(self.family.parse(reply, sent, observation.size), usage=Usage(calls=1, tokens_in=10))


def probed(family: Family, writes: Family) -> Calibration:
    """What the probe finds where answers of one family are read as those of another."""
    return calibrate(Scripted(family, lambda at, sent, screen: writes.render(at, sent)))


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_every_family_passes_that_writes_what_it_should(family: Family) -> None:
    found = probed(family, family)
    assert found.ok, found.text()
    assert found.diagnosis == "" and "where it means to" in found.text()
    assert found.usage == Usage(calls=10, tokens_in=100)
    assert found.to_json()["verdict"] == "ok"


def others(family: Family) -> list[tuple[Space, Order]]:
    """Every way of writing that can be told from the family's own: 999 and 1000 differ by less than one can point."""
    own = {"norm999": "norm1000"}.get(family.space, family.space), family.order
    every = [(space, order) for space in SPACES for order in ORDERS]
    return [(space, order) for space, order in every if ({"norm999": "norm1000"}.get(space, space), order) != own]


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_no_family_passes_that_writes_in_another_space(family: Family) -> None:
    for space, order in others(family):
        found = probed(family, replace(family, space=space, order=order))
        assert not found.ok, (space, order, found.text())


KINDS = {(family.space, family.order, str(family.resize)): family for family in families()}
CONFUSED = [(family, *other) for family in KINDS.values() for other in others(family)]


@pytest.mark.parametrize(("family", "space", "order"), CONFUSED, ids=lambda part: getattr(part, "name", part))
def test_every_wrong_space_is_named(family: Family, space: Space, order: Order) -> None:
    # A syntax of whole numbers cannot hold shares of the sides: one that can is used.
    exact = replace(family, syntax=get("showui").syntax)
    found = probed(exact, replace(exact, space=space, order=order))
    assert found.verdict == "mismatch", found.text()
    assert f"read as {CoordinateReading(family.space, family.order)}" in found.diagnosis
    named = CoordinateReading("norm1000" if space == "norm999" else space, order)
    # Where only places of equal x and y are left, or all lie in one corner, no order can be told.
    left = [pair.asked for one in found.canvases for pair in one.pairs if pair.answered]
    if space == "norm1" or all(at.x == at.y for at in left):
        named = replace(named, order=family.order)
    assert str(named) in found.diagnosis


def test_pixels_of_the_screenshot_are_not_pixels_of_what_was_sent() -> None:
    family = replace(get("gta1"), resize=SmartResize(28, 3136, 1_000_000))
    found = calibrate(Scripted(family, lambda at, sent, screen: family.render(at, screen)))
    assert found.verdict == "mismatch"
    assert "pixels of the screenshot as it was before resizing" in found.diagnosis


def test_a_server_that_shrinks_pictures_is_caught_with_its_budget() -> None:
    family, shrunk = get("gta1"), SmartResize(28, 3136, 1_003_520)
    found = calibrate(Scripted(family, lambda at, sent, screen: family.render(at, shrunk.size(sent))))
    assert found.verdict == "mismatch"
    seen = shrunk.size(family.sent_size(SIZES[1]))
    told = found.diagnosis
    assert "pixels of another picture" in told and "shrinks it to about" in told
    width, height = map(int, told.split(", ")[1].split(" ")[0].split("x"))
    assert abs(width - seen.width) <= 5 and abs(height - seen.height) <= 5


def test_random_answers_fit_nothing() -> None:
    draw = random.Random(1)
    family = get("uground-v1")
    found = calibrate(
        Scripted(family, lambda at, sent, screen: family.render(Point(draw.random(), draw.random()), sent))
    )
    assert found.verdict in ("unfit", "mismatch") and not found.ok
    assert "no coordinate space" in found.diagnosis


@pytest.mark.parametrize("name", ["uground-v1", "gta1"])
def test_one_and_the_same_answer_is_no_pointing(name: str) -> None:
    family = get(name)
    found = calibrate(Scripted(family, lambda at, sent, screen: family.render(Point(0.5, 0.5), sent)))
    assert not found.ok
    assert "no coordinate space" in found.diagnosis


def test_two_right_answers_of_five_are_not_enough() -> None:
    family = get("uground-v1")
    found = calibrate(
        Scripted(family, lambda at, sent, screen: family.render(at, sent) if at.x == at.y < 0.6 else "no")
    )
    assert found.verdict == "silent" and "the answers it does give are right" in found.text()


def test_a_model_that_says_nothing_is_silent() -> None:
    found = calibrate(Scripted(get("uground-v1"), lambda at, sent, screen: "I see it."))
    assert found.verdict == "silent"
    assert "unparsable" in found.text() and found.to_json()["canvases"][0]["abstained"] == 5


def test_one_miss_is_told_and_forgiven() -> None:
    family = get("uground-v1")
    plus = AT["the black plus sign"]
    found = calibrate(
        Scripted(family, lambda at, sent, screen: family.render(Point(0.92, 0.1) if at == plus else at, sent))
    )
    assert found.ok
    assert "(a miss)" in found.text()


def test_what_looks_at_no_picture_cannot_be_probed() -> None:
    with pytest.raises(ConfigError, match="needs elements"):
        calibrate(ElementsGrounder())


def test_the_line_is_the_least_squares_one() -> None:
    asked = [Point(x, y) for x in (0.1, 0.5, 0.9) for y in (0.2, 0.8)]
    pairs = [ProbePair(p, Point(0.5 * p.x + 0.25, 0.9 * p.y)) for p in asked]
    found = fit(pairs)
    assert found is not None and found.straight and not found.right and found.missed is None
    assert (found.x.scale, found.x.offset) == pytest.approx((0.5, 0.25))
    assert (found.y.scale, found.y.offset) == pytest.approx((0.9, 0.0))
    assert fit(pairs[:1]) is None and fit([ProbePair(p, None) for p in asked]) is None


def test_no_reading_is_listed_twice() -> None:
    for family in families():
        listed = readings(family)
        assert listed[0] == CoordinateReading(family.space, family.order)
        assert len(listed) == len(set(listed)) == 10


@pytest.mark.parametrize("size", [*SIZES, Size(320, 200), Size(40, 90)])
def test_the_targets_are_where_they_are_said_to_be(size: Size) -> None:
    picture = canvas(size)
    assert picture.size == size
    pixels = picture.array()
    for target in TARGETS:
        column, row = target.at.to_pixel(size)
        assert tuple(pixels[row, column]) == target.colour
        there = (pixels == target.colour).all(axis=2).nonzero()
        assert there[0].mean() / size.height == pytest.approx(target.at.y, abs=0.03)
        assert there[1].mean() / size.width == pytest.approx(target.at.x, abs=0.03)
    assert len({target.colour for target in TARGETS} | {PAPER}) == 6
