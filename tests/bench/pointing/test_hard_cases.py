"""What a grounder missed decides what is drawn next, and what it hit instead is a negative."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from omnipilot.bench.pointing import Shot, Target, draw_weighted, failure_weights, hard_negatives
from omnipilot.bench.pointing.evaluation import PointingAnswer
from omnipilot.envs import Box, Element, Elements, Observation, Point, Size
from omnipilot.memory import Usage

SAVE, FILE = Box(0.1, 0.1, 0.2, 0.2), Box(0.5, 0.5, 0.6, 0.6)
WINDOW = Box(0.0, 0.0, 1.0, 1.0)


def answer(hit: bool, target: str = "t", kind: str = "icon", at: Point | None = None) -> PointingAnswer:
    point = at or (SAVE.center if hit else Point(0.9, 0.9))
    return PointingAnswer(
        target,
        "basic",
        "desktop",
        "light",
        kind,
        False,
        100,
        100,
        "Save",
        SAVE,
        point,
        "",
        "",
        0.1,
        Usage(),  # type: ignore[arg-type]
    )


def test_cells_weigh_by_the_share_that_failed_and_none_is_nothing() -> None:
    given = [*(answer(True) for _ in range(8)), *(answer(False, kind="text") for _ in range(8))]
    weights = failure_weights(given)
    assert weights[("basic", "icon", "desktop", "light", "")] == pytest.approx(1 / 10)
    assert weights[("basic", "text", "desktop", "light", "")] == pytest.approx(9 / 10)


def test_draws_are_in_proportion_to_the_weights_and_grow() -> None:
    items = {str(number): number for number in range(400)}
    weights = {name: 9.0 if int(name) % 2 else 1.0 for name in items}
    drawn = draw_weighted(items, weights, 60)
    odd = Counter(number % 2 for number in drawn)[1]
    # Nine to one, without repetition: 54 of 60 are expected, with a standard deviation of about 2.3.
    assert 46 <= odd <= 60 and len(set(drawn)) == 60
    assert draw_weighted(items, weights, 30) == drawn[:30] and draw_weighted(items, weights, 60, 1) != drawn
    assert len(draw_weighted(items, weights, 1000)) == 400
    assert draw_weighted(items, {**weights, "7": 0.0}, 1000).count(7) == 0


def test_what_was_hit_instead_is_a_negative_of_the_same_screen() -> None:
    elements = Elements(
        (Element("window", "All", WINDOW), Element("button", "Save", SAVE), Element("button", "File", FILE))
    )
    size = Size(100, 100)
    target = Target("t", SAVE, "icon", "button", "Save", "the Save button")
    shot = Shot("s", "desktop", "light", Observation("pc", 0.0, size, elements=elements), (target,))
    found = list(hard_negatives([shot], [answer(False, at=FILE.center)]))
    assert [(one.id, element.name) for one, _, element in found] == [("s", "File")]
    assert list(hard_negatives([shot], [answer(True)])) == []
    assert list(hard_negatives([shot], [replace(answer(False), point=None, reason="not_found")])) == []
