"""Gold and graded grounders on pointing benchmarks: by the target's own area, whatever its words."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from command_line import omnipilot
from fixed_truth import told

from omnipilot.bench.pointing.evaluation import PointingAnswer, Shot, Target, evaluate
from omnipilot.bench.pointing.place import Nowhere, Polygon
from omnipilot.bench.pointing.truth import PointingTruth, box_within
from omnipilot.bench.suites.pointing import PointingSuite
from omnipilot.envs import Absent, Box, ConfigError, Observation, Point, Size
from omnipilot.grounders import GoldGrounder, GradedGrounder, Grounder

SCREEN = Observation("desktop", 0.0, Size(400, 300), Absent("unsupported"))
ELL = Polygon(tuple(Point(x, y) for x, y in ((0.1, 0.1), (0.2, 0.1), (0.2, 0.8), (0.9, 0.8), (0.9, 0.9), (0.1, 0.9))))
"""An area shaped like an L, whose middle is not in it."""


def target(number: int, place: Box | Polygon | Nowhere) -> Target:
    return Target(f"t{number}", place, "unknown", "", "", f"what one presses, {number}", f"what is good for {number}")


def shot(*targets: Target) -> Shot:
    return Shot("one", "desktop", "", SCREEN, targets)


def answers(
    grounder: Grounder, *shots: Shot, concurrency: int = 1, done: tuple[PointingAnswer, ...] = ()
) -> list[PointingAnswer]:
    truth = PointingTruth("made")
    keys = {one.key for one in done}
    asked = told(grounder, truth)
    return list(evaluate(shots, asked, keys, concurrency=concurrency, asking=truth.ask))


def test_gold_is_always_right_without_any_element_or_picture() -> None:
    targets = [target(1, Box(0.1, 0.1, 0.2, 0.2)), target(2, ELL), target(3, Nowhere())]
    found = answers(GoldGrounder(), shot(*targets))
    assert len(found) == 6 and all(one.hit for one in found)
    assert [one.reason for one in found[-2:]] == ["not_found"] * 2


def test_wrong_is_always_wrong_also_beside_an_area_that_is_no_box() -> None:
    targets = [target(number, ELL if number % 2 else Box(0.4, 0.4, 0.5, 0.6)) for number in range(200)]
    assert not any(one.hit for one in answers(GradedGrounder(0), shot(*targets)))


def test_the_measured_accuracy_is_the_one_that_was_asked_for_and_does_not_depend_on_order_or_threads() -> None:
    targets = [target(number, Box(0.4, 0.4, 0.5, 0.6)) for number in range(1000)]
    found = answers(GradedGrounder(0.7), shot(*targets))
    assert abs(sum(one.hit for one in found) - 1400) < 4 * math.sqrt(2000 * 0.7 * 0.3)
    points = {one.key: one.point for one in found}
    for again in (
        answers(GradedGrounder(0.7), shot(*targets), concurrency=4),
        answers(GradedGrounder(0.7), shot(*reversed(targets))),
        answers(GradedGrounder(0.7), shot(*targets), done=tuple(found[:500])),
    ):
        assert all(points[one.key] == one.point for one in again)
    better = answers(GradedGrounder(0.9), shot(*targets))
    assert all(high.hit for low, high in zip(found, better, strict=True) if low.hit)


def test_on_screens_with_elements_it_may_hit_a_neighbour() -> None:
    shots = [next(iter(PointingSuite().shots()))]
    found = answers(GradedGrounder(0, "neighbour"), *shots)
    boxes = [element.box for element in shots[0].observation.elements]  # type: ignore[union-attr]
    assert found and all(not one.hit for one in found)
    assert any(one.point == box.center for one in found for box in boxes)


def test_the_box_of_an_area_has_its_centre_inside() -> None:
    assert box_within(Box(0.1, 0.1, 0.2, 0.3)) == Box(0.1, 0.1, 0.2, 0.3)
    for area in (ELL, Polygon((Point(0, 0), Point(1, 0), Point(0, 1)))):
        assert area.contains(box_within(area).center)
    flat = Polygon((Point(0.5, 0.5),) * 3)
    assert box_within(flat) == Box(0.5, 0.5, 0.5, 0.5)


def test_there_is_nothing_to_play() -> None:
    with pytest.raises(ConfigError, match="pointing benchmarks have no solutions to play"):
        PointingTruth("made").demonstration()


def test_ground_takes_gold_and_graded_grounders_and_says_that_they_are_bounds(tmp_path: Path) -> None:
    done = omnipilot("ground", "--grounder", "graded:0.6", "--limit", "20", "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert "not the result of an agent: graded:0.6 (grounder graded)" in " ".join(done.stdout.split())
    other = omnipilot("ground", "--grounder", "graded:0.7", "--limit", "20", "--out", str(tmp_path / "out"))
    assert other.returncode != 0 and "with another grounder" in other.stderr
    plain = omnipilot("ground", "--grounder", "centre", "--limit", "5")
    assert plain.returncode == 0 and "not the result of an agent" not in plain.stdout
