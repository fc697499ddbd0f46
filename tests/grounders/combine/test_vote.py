"""The grounder `vote` and the geometric median at which it points."""

from __future__ import annotations

import math

import pytest
import strategies  # noqa: F401
from hypothesis import given
from hypothesis import strategies as st
from scripted_grounders import SEEN, Says, here, no

from omnipilot.envs import Box, ConfigError
from omnipilot.grounders import Grounding, VoteGrounder
from omnipilot.grounders.combine.vote import geometric_median

coordinates = st.floats(-1000, 1000).map(lambda value: round(value, 3))
clouds = st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=9)


def total(points, place):
    return sum(math.dist(point, place) for point in points)


@given(clouds, st.randoms(use_true_random=False))
def test_the_geometric_median_is_no_worse_than_any_point_and_ignores_order(points, random):
    middle = geometric_median(points)
    best = total(points, middle)
    slack = 1e-5 * (1 + best)
    for place in [*points, (0.0, 0.0), *((middle[0] + dx, middle[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))]:
        assert best <= total(points, place) + slack
    shuffled = random.sample(points, len(points))
    assert total(points, geometric_median(shuffled)) == pytest.approx(best, rel=1e-5, abs=1e-5)


@given(clouds, coordinates, coordinates, st.floats(0.1, 10), st.floats(0, 6.3))
def test_the_geometric_median_moves_turns_and_grows_with_the_points(points, dx, dy, scale, angle):
    def changed(point):
        x, y = point[0] * scale, point[1] * scale
        return x * math.cos(angle) - y * math.sin(angle) + dx, x * math.sin(angle) + y * math.cos(angle) + dy

    cloud = [changed(point) for point in points]
    assert total(cloud, geometric_median(cloud)) == pytest.approx(
        total(cloud, changed(geometric_median(points))), rel=1e-5, abs=1e-4
    )


def test_the_geometric_median_of_known_points():
    assert geometric_median([(3, 4)]) == (3, 4)
    assert geometric_median([(0, 0), (4, 0), (4, 4), (0, 4)]) == pytest.approx((2, 2))
    assert geometric_median([(0, 0), (0, 0), (0, 0), (90, 5), (-7, 80)]) == pytest.approx((0, 0), abs=1e-6)
    fermat = geometric_median([(0, 0), (1, 0), (0.5, math.sqrt(3) / 2)])
    assert fermat == pytest.approx((0.5, math.sqrt(3) / 6), abs=1e-6)


def test_a_vote_is_not_moved_by_an_outlier_and_its_confidence_falls_with_the_spread():
    near = VoteGrounder(Says(here(0.5, 0.5), here(0.5, 0.5), here(0.5, 0.5), here(0.9, 0.9), no())).ground(SEEN, "x")
    assert near.point.to_pixels(SEEN.size) == pytest.approx((100, 50), abs=1e-3) and near.usage.calls == 5
    sure = VoteGrounder(Says(here(0.2, 0.3, box=Box(0.1, 0.2, 0.3, 0.4))), samples=3).ground(SEEN, "x")
    assert sure.confidence == 1 and sure.box == Box(0.1, 0.2, 0.3, 0.4)
    assert 0 <= near.confidence < 0.8 < sure.confidence
    wild = VoteGrounder(Says(here(0, 0), here(1, 1), here(0, 1), here(1, 0))).ground(SEEN, "x")
    assert wild.confidence == 0


@pytest.mark.parametrize(("silent", "points"), [(0, True), (2, True), (3, False), (5, False)])
def test_a_vote_with_a_majority_of_abstentions_abstains(silent, points):
    answers = [no("refused", "first")] * min(silent, 1) + [no("not_found", "often")] * (silent - 1)
    found = VoteGrounder(Says(*answers, *[here(0.5, 0.5)] * (5 - silent))).ground(SEEN, "x")
    assert isinstance(found, Grounding) == points and found.usage.calls == 5
    if not points:
        assert found.reason == "not_found" and found.detail == f"{silent} of 5 answers are abstentions; often"
    else:
        assert found.confidence == pytest.approx((5 - silent) / 5)


@pytest.mark.parametrize("options", [{"samples": 0}, {"reach": 0}, {"reach": -1.0}])
def test_a_vote_that_makes_no_sense_is_refused(options):
    with pytest.raises(ConfigError, match="grounder 'vote'"):
        VoteGrounder(Says(), **options)
