"""Graded grounders: right as often as asked for, wrong in the ways that are documented, on common random numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest
from fixed_truth import FixedTruth, told
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench import Task
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import Box, ConfigError, Element, Elements, Observation, Point, Size
from omnipilot.envs.sim.world import SimWorld
from omnipilot.grounders import (
    Abstention,
    CascadeGrounder,
    ElementsGrounder,
    GoldGrounder,
    GradedGrounder,
    Grounding,
    ZoomGrounder,
)
from omnipilot.grounders.graded import ERRORS, FAR, NEAR

SIZE = Size(200, 100)
SCREEN = Observation("pc", 0.0, SIZE)


def grid() -> list[Element]:
    """Five rows of four buttons; every name is there twice."""
    return [
        Element(
            "button",
            f"Item {(row * 4 + column) % 10}",
            Box(column / 4, row / 5, column / 4 + 0.2, row / 5 + 0.15),
            id=f"{row}-{column}",
        )
        for row, column in product(range(5), range(4))
    ]


def answers(accuracy: float, errors: str | tuple[str, ...] = ERRORS, many: int = 2000) -> list[Grounding]:
    """Of a grounder to questions about all elements of the grid, in many episodes."""
    found = []
    for seed in range(many // 20):
        one = told(GradedGrounder(accuracy, errors), FixedTruth({"pc": grid()}, seed=seed))
        found += [one.ground(SCREEN, f"#{element.id}") for element in grid()]
    assert all(isinstance(answer, Grounding) for answer in found)
    return found  # type: ignore[return-value]


def asked() -> Iterator[Element]:
    """What `answers` were asked for."""
    while True:
        yield from grid()


def within(count: int, of: int, share: float, widths: float = 4) -> bool:
    """Whether a count is within four standard errors of its share."""
    return abs(count - of * share) <= widths * math.sqrt(of * share * (1 - share)) + 1e-9


@pytest.mark.parametrize("accuracy", [0.0, 0.25, 0.7, 0.95, 1.0])
def test_it_is_right_as_often_as_its_accuracy_says(accuracy: float) -> None:
    found = answers(accuracy)
    right = sum(element.box.contains(answer.point) for element, answer in zip(asked(), found, strict=False))
    assert within(right, len(found), accuracy)


def kind_of(element: Element, answer: Grounding) -> str:
    if answer.box is None:
        return "offset"
    hit = next(one for one in grid() if one.box == answer.box)
    return "same-name" if hit.name == element.name else "neighbour"


def test_the_ways_to_be_wrong_are_equally_likely_and_can_be_chosen() -> None:
    found = answers(0.0)
    kinds = Counter(kind_of(element, answer) for element, answer in zip(asked(), found, strict=False))
    assert set(kinds) == set(ERRORS) and all(within(count, len(found), 1 / 3) for count in kinds.values())
    for kind in ERRORS:
        alone = answers(0.0, kind, 100)
        assert {kind_of(element, answer) for element, answer in zip(asked(), alone, strict=False)} == {kind}
    two = answers(0.0, ("offset", "neighbour"), 1000)
    kinds = Counter(kind_of(element, answer) for element, answer in zip(asked(), two, strict=False))
    assert set(kinds) == {"offset", "neighbour"} and all(within(count, 1000, 1 / 2) for count in kinds.values())


def test_a_neighbour_is_the_nearest_in_pixels_that_can_be_operated() -> None:
    near = Element("text", "a label", Box(0.4, 0.62, 0.6, 0.7), id="t")
    low = Element("button", "low", Box(0.4, 0.75, 0.6, 0.85), id="l")
    wide = Element("button", "wide", Box(0.65, 0.45, 0.85, 0.55), id="w")
    middle = Element("button", "middle", Box(0.4, 0.45, 0.6, 0.55), id="m")
    one = told(GradedGrounder(0, "neighbour"), FixedTruth({"pc": [near, wide, low, middle]}))
    # 0.3 of a height of 100 is less than 0.25 of a width of 200.
    assert one.ground(SCREEN, "middle") == Grounding(low.box.center, low.box)
    alone = told(GradedGrounder(0, "neighbour"), FixedTruth({"pc": [near, middle]}))
    assert alone.ground(SCREEN, "middle") == Grounding(near.box.center, near.box)


def test_the_same_name_comes_before_one_that_is_alike_and_then_a_neighbour() -> None:
    save, other = Element("button", "Save", Box(0, 0, 0.1, 0.1), id="1"), Element("link", "Save", Box(0.8, 0.8, 1, 1))
    alike, near = (
        Element("button", "Save as", Box(0.3, 0, 0.4, 0.1)),
        Element("button", "Quit", Box(0.1, 0.1, 0.2, 0.2)),
    )
    for screen, hit in (([save, near, alike, other], other), ([save, near, alike], alike), ([save, near], near)):
        one = told(GradedGrounder(0, "same-name"), FixedTruth({"pc": screen}))
        assert one.ground(SCREEN, "#1") == Grounding(hit.box.center, hit.box)


def test_an_offset_is_half_to_three_boxes_away_and_all_over_that_range() -> None:
    box = Box(0.45, 0.45, 0.55, 0.55)
    far = []
    for seed in range(300):
        truth = FixedTruth({"pc": [Element("button", "it", box)]}, seed=seed)
        point = told(GradedGrounder(0, "offset"), truth).ground(SCREEN, "it").point  # type: ignore[union-attr]
        far.append(max(abs(point.x - 0.5), abs(point.y - 0.5)) / 0.1)
    assert min(far) >= NEAR and max(far) <= FAR
    assert within(sum(one < (NEAR + FAR) / 2 for one in far), 300, 0.5)


def box_of(edges: tuple[float, ...]) -> Box:
    (left, right), (top, bottom) = sorted(edges[:2]), sorted(edges[2:])
    return Box(left, top, right, bottom)


BOXES = st.tuples(*[st.floats(0, 1, width=32)] * 4).map(box_of)


@given(st.lists(BOXES, min_size=1, max_size=8), st.integers(0, 99), st.sampled_from(ERRORS))
def test_a_wrong_answer_is_never_right_whatever_lies_on_the_screen(boxes: list[Box], seed: int, kind: str) -> None:
    screen = [Element("button" if n % 2 else "listitem", f"n{n % 3}", box, id=str(n)) for n, box in enumerate(boxes)]
    truth = FixedTruth({"pc": screen}, seed=seed)
    found = told(GradedGrounder(0, kind), truth).ground(SCREEN, "#0")
    if isinstance(found, Grounding):
        assert not screen[0].box.contains(found.point)
        assert not truth.lies_on("pc", screen[0], found.point)
    else:
        assert found.reason == "not_found"


def test_where_nothing_is_beside_it_every_error_is_an_abstention() -> None:
    truth = FixedTruth({"pc": [Element("image", "all", Box(0, 0, 1, 1))]})
    assert told(GradedGrounder(0), truth).ground(SCREEN, "all") == Abstention("not_found", "'all' is all there is")
    small = FixedTruth({"pc": [Element("image", "it", Box(0.4, 0.4, 0.5, 0.5))]})
    assert isinstance(told(GradedGrounder(0, "neighbour"), small).ground(SCREEN, "it"), Grounding), "an offset"


def test_where_gold_abstains_so_does_it() -> None:
    one = told(GradedGrounder(0), FixedTruth({"pc": grid()}))
    assert one.ground(SCREEN, "Quit") == Abstention("not_found", "no element on the screen is called that")
    assert isinstance(one.ground(Observation("phone", 0.0, SIZE), "Save"), Abstention)


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 1000))
def test_what_is_right_at_a_low_accuracy_is_right_at_a_higher_one(one: float, other: float, seed: int) -> None:
    low, high = sorted((one, other))
    truth = FixedTruth({"pc": grid()}, seed=seed)
    less, more = (told(GradedGrounder(accuracy), truth) for accuracy in (low, high))
    for element in grid():
        answer, better = less.ground(SCREEN, f"#{element.id}"), more.ground(SCREEN, f"#{element.id}")
        assert isinstance(answer, Grounding) and isinstance(better, Grounding)
        if element.box.contains(answer.point):
            assert better == answer
        elif not element.box.contains(better.point):
            assert better == answer, "and wrong in the same way"


def test_asked_again_it_draws_again_and_a_new_episode_starts_over() -> None:
    suite, world, truth = Duet(), SimWorld(), EpisodeTruth()
    task = suite.instantiate("beeps-to-table", 0)
    task.setup(world)
    elements = truth_of(world, "phone")
    target = f"#{elements.items[-1].id}"
    seen = Observation("phone", 0.0, Size(412, 916))
    one = told(GradedGrounder(0.5), truth)
    episodes = []
    for _ in range(2):
        begin(truth, world, task, 7)
        episodes.append([one.ground(seen, target) for _ in range(30)])
    assert episodes[0] == episodes[1]
    assert len(set(map(str, episodes[0]))) > 2
    begin(truth, world, task, 8)
    assert [one.ground(seen, target) for _ in range(30)] != episodes[0]


def begin(truth: EpisodeTruth, world: SimWorld, task: Task, seed: int) -> None:
    """Begin an episode, and look at each device."""
    truth.begin(world, task, seed)
    for device in world.envs.values():
        truth.looked(device.observe((), 0.0))


def truth_of(world: SimWorld, env: str) -> Elements:
    found = world.envs[env].ui_tree()
    assert isinstance(found, Elements)
    return found


def test_on_the_screens_of_duet_it_is_right_as_often_as_it_says() -> None:
    right, told_of = Counter[float](), 0
    for info in Duet().tasks()[:6]:
        world, truth = SimWorld(), EpisodeTruth()
        task = Duet().instantiate(info.id, 0)
        task.setup(world)
        for seed in range(4):
            begin(truth, world, task, seed)
            for env, device in world.envs.items():
                seen = Observation(env, 0.0, device.size)
                targets = [f"#{one.id}" for one in truth_of(world, env) if one.id and "offscreen" not in one.states]
                told_of += len(targets)
                for accuracy in (0.5, 0.9):
                    one = told(GradedGrounder(accuracy), truth)
                    begin(truth, world, task, seed)
                    for target in targets:
                        found, meant = one.ground(seen, target), truth.meaning(env, target)
                        assert isinstance(meant, Element)
                        hit = isinstance(found, Grounding) and found.point == meant.box.center
                        assert hit or not isinstance(found, Grounding) or not truth.lies_on(env, meant, found.point)
                        right[accuracy] += hit
    assert told_of > 400 and all(within(right[accuracy], told_of, accuracy) for accuracy in (0.5, 0.9))


@pytest.mark.parametrize(
    ("accuracy", "errors", "says"),
    [
        (1.5, ERRORS, "accuracy must be in 0..1, not 1.5; graded:0.9 is 90 %"),
        (0.5, "near", "errors are some of neighbour, same-name, offset, not near"),
        (0.5, (), "errors are some of neighbour, same-name, offset"),
    ],
)
def test_what_cannot_be_is_refused(accuracy: float, errors: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        GradedGrounder(accuracy, errors)


def test_zoom_refuses_grounders_that_point_on_the_whole_screen() -> None:
    for of in (GoldGrounder(), CascadeGrounder([ElementsGrounder(), GradedGrounder(0.5)])):
        with pytest.raises(ConfigError, match="'zoom' asks about parts of the screen; gold and graded"):
            ZoomGrounder(of)
    ZoomGrounder(CascadeGrounder([ElementsGrounder()]))


def test_points_are_on_the_screen() -> None:
    corner = FixedTruth({"pc": [Element("button", "x", Box(0, 0, 0.3, 0.3))]})
    for seed in range(50):
        corner.seed = seed
        found = told(GradedGrounder(0, "offset"), corner).ground(SCREEN, "x")
        assert isinstance(found, Grounding) and isinstance(found.point, Point)
