"""OmniGUI's four metrics: rules by hand, both variants, and a second implementation."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from speed_metrics_gui import STEPS, gui_metrics, omnigui_seconds, omnigui_steps

from omnipilot.bench.suites.omnigui.metrics.actions import Primitive
from omnipilot.bench.suites.omnigui.metrics.scores import ScoredStep, score, score_step
from omnipilot.bench.suites.omnigui.metrics.targets import TargetField, target

P = Primitive
BOX = target([[108, 240], [540, 480]])  # 100..500 by 100..200 in thousandths of 1080x2400
POINT = target("[540, 1200]")  # 500, 500


def step(action: Primitive, reply: str | None, number: int = 0, episode: str = "e", **more: Any) -> ScoredStep:
    return ScoredStep(episode, number, action, reply, **more)


def place(action: int, x: int, y: int) -> str:
    return f'{{"action_type": {action}, "coordinate": [{x}, {y}]}}'


def swipe(action: int, start: list[int], end: list[int] | None) -> str:
    return f'{{"action_type": {action}, "start": {start}' + (f', "end": {end}}}' if end else "}")


@pytest.mark.parametrize("action", [P.TAP, P.LONG_PRESS])
@pytest.mark.parametrize(
    ("where", "x", "y", "hit"),
    [
        *((BOX, x, y, True) for x, y in ((100, 100), (500, 200), (100, 200), (300, 150))),
        *((BOX, x, y, False) for x, y in ((99, 100), (501, 200), (300, 201), (-1, -1))),
        (target([[540, 480], [108, 240]]), 100, 100, True),  # corners in any order
        *((POINT, 500 + dx, 500, dx <= 140) for dx in (0, 140, 141)),
        (POINT, 584, 612, True),  # 84, 112: exactly 140 away
        (POINT, 585, 612, False),
        (None, 300, 150, False),
        (target("[240, 108]", swapped=True), 100, 240, True),
        (target("[[240, 108], [480, 540]]", swapped=True), 500, 200, True),
    ],
)
def test_presses(action: Primitive, where: TargetField | None, x: int, y: int, hit: bool) -> None:
    one = step(action, place(action, x, y), touch=where)
    for variant in ("release", "paper"):
        found = score_step(one, variant)  # type: ignore[arg-type]
        assert (found.type_match, found.exact_match) == (True, hit)


def test_targets_are_brought_to_thousandths_by_truncation() -> None:
    # 539.9 / 1080 * 1000 = 499.9 and so 499; by the step's own size.
    edge = target([[0, 0], [539.9, 100]])
    assert score_step(step(P.TAP, place(0, 499, 0), touch=edge)).exact_match
    assert not score_step(step(P.TAP, place(0, 500, 0), touch=edge)).exact_match
    assert score_step(step(P.TAP, place(0, 500, 0), touch=edge, size=(1000, 1000))).exact_match


@pytest.mark.parametrize(
    ("lift", "end", "release", "paper"),
    [
        (POINT, [500, 500], True, True),
        (POINT, [900, 900], False, False),
        (POINT, None, True, False),  # by its start alone
        (POINT, [-1, -1], False, False),
        (None, [900, 900], True, True),
    ],
)
def test_swipes(lift: TargetField | None, end: list[int] | None, release: bool, paper: bool) -> None:
    one = step(P.SWIPE_UP, swipe(3, [300, 150], end), touch=BOX, lift=lift)
    assert (score_step(one).exact_match, score_step(one, "paper").exact_match) == (release, paper)
    assert not score_step(step(P.SWIPE_UP, swipe(3, [300, 250], end), touch=BOX, lift=lift)).exact_match
    assert not score_step(step(P.SWIPE_UP, swipe(3, [300, 150], end), lift=lift)).exact_match


@pytest.mark.parametrize(
    ("truth", "said", "release", "paper"),
    [
        ("Hello", "Hello", True, True),
        ("Hello", "hello ", True, False),
        ("Hello world", "WORLD", True, False),
        ("a", "banana", True, False),
        ("Hello", "Help", False, False),
        ("Hello", "", False, False),
        ("", "Hello", False, False),
        ("Hello", "  ", True, False),  # nothing is left of it, and nothing is in everything
    ],
)
def test_texts(truth: str, said: str, release: bool, paper: bool) -> None:
    one = step(P.INPUT, f'{{"action_type": 7, "text": "{said}"}}', text=truth)
    assert (score_step(one).exact_match, score_step(one, "paper").exact_match) == (release, paper)


def test_actions_without_parameters_and_those_the_release_never_matches() -> None:
    for action in (P.BACK, P.HOME, P.TASK_COMPLETE, P.TASK_IMPOSSIBLE):
        assert score_step(step(action, f'{{"action_type": {int(action)}}}')).exact_match
    waits, taps = step(P.NONE, '{"action_type": -1}'), step(P.DOUBLE_TAP, place(1, 300, 150), touch=BOX)
    for one in (waits, taps):
        assert score_step(one).type_match and not score_step(one).exact_match
        assert score_step(one, "paper").exact_match
    assert not score_step(step(P.DOUBLE_TAP, place(1, 300, 250), touch=BOX), "paper").exact_match
    assert score([waits, taps]).unmatchable == 2
    assert score([waits, taps]).success_rate == 0  # such an episode never succeeds


def test_a_bare_swipe_scores_on_a_tap_step() -> None:
    one = step(P.TAP, '{"action": "swipe", "coordinate": [300, 150], "end": [300, 900]}', touch=BOX)
    assert score_step(one).exact_match
    assert not score_step(one, "paper").type_match


FAR, NEAR = [[900, 2000], [1000, 2100]], [[108, 240], [540, 480]]


def test_lists_of_rectangles() -> None:
    two, single = target([FAR, NEAR]), target([NEAR])
    assert two is not None and (two.listed, len(two.rectangles)) == (True, 2)
    tap = score_step(step(P.TAP, place(0, 300, 150), touch=two))
    assert tap.exact_match and tap.flagged  # the release raises; any rectangle counts
    assert score_step(step(P.HOME, "home()", touch=two)).flagged  # for every action
    alone = step(P.TAP, place(0, 300, 150), touch=single)
    assert not score_step(alone).exact_match and not score_step(alone).flagged  # "no coordinate"
    assert score_step(alone, "paper").exact_match
    swiped = step(P.SWIPE_UP, swipe(3, [300, 150], [300, 150]), touch=single, lift=two)
    assert not score_step(swiped).exact_match  # of a lift, the first
    assert score_step(swiped, "paper").exact_match
    swiped = step(P.SWIPE_UP, swipe(3, [300, 150], [300, 150]), touch=single, lift=target([NEAR, FAR]))
    assert score_step(swiped).exact_match


@pytest.mark.parametrize("field", ["", None, "[]", [], "oops", [1], [[1, 2]], [["a", 2], [3, 4]], [1, 2, 3], {"x": 1}])
def test_fields_that_say_nothing(field: Any) -> None:
    assert target(field) is None


def test_how_replies_count() -> None:
    pixels = step(P.TAP, place(0, 540, 1200), touch=POINT)
    assert not score_step(pixels).exact_match
    assert score_step(pixels, coordinates="pixel").exact_match
    assert score_step(pixels, coordinates="auto").exact_match  # one number is above 1000
    assert not score_step(step(P.TAP, place(0, 999, 999), touch=POINT), coordinates="auto").exact_match


def episode(name: str, flags: str) -> list[ScoredStep]:
    return [step(P.HOME, "home()" if flag == "1" else "back()", i, name) for i, flag in enumerate(flags)]


def test_success_and_progress_by_hand() -> None:
    steps = episode("a", "1101") + episode("b", "11") + episode("c", "01")
    found, printed = score(reversed(steps)), score(steps, "paper")
    assert (found.steps, found.episodes, found.exact_match) == (8, 3, 6 / 8)
    assert found.success_rate == printed.success_rate == 1 / 3
    assert found.goal_progress == pytest.approx((2 / 4 + 1 + 0) / 3)
    assert printed.goal_progress == pytest.approx((3 / 4 + 1 + 1 / 2) / 3)


def test_an_episode_is_subset_and_id() -> None:
    twins = [step(P.HOME, "home()", 0, subset=name) for name in ("zh", "en")]
    assert score(twins).episodes == 2


def test_missing_unreadable_and_void_replies() -> None:
    found = score([step(P.HOME, None), step(P.HOME, "what?", 1), step(P.HOME, "home()", 2, void=True)])
    assert (found.type_match, found.format_errors, found.void, found.variant) == (0, 2, 1, "release")
    empty = score([])
    assert (empty.type_match, empty.success_rate, empty.goal_progress) == (None, None, None)


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=5), min_size=1, max_size=6), st.randoms())
def test_aggregates_against_their_definition(flags: list[list[bool]], draw: random.Random) -> None:
    steps = [one for i, part in enumerate(flags) for one in episode(str(i), "".join("01"[flag] for flag in part))]
    for variant in ("release", "paper"):
        found = score(steps, variant)  # type: ignore[arg-type]
        prefixes = [next((i for i in range(len(part)) if not part[i]), len(part)) for part in flags]
        right = [sum(part) for part in flags] if variant == "paper" else prefixes
        assert found.goal_progress == pytest.approx(
            sum(r / len(p) for r, p in zip(right, flags, strict=True)) / len(flags)
        )
        assert found.success_rate == pytest.approx(sum(map(all, flags)) / len(flags))
        assert score(draw.sample(steps, len(steps)), variant) == found  # type: ignore[arg-type]


@given(st.integers(0, 10_000))
def test_ranges_on_replies_of_every_form(seed: int) -> None:
    steps = omnigui_steps(40, seed)
    release, paper = score(steps), score(steps, "paper")
    for found in (release, paper):
        values = (found.success_rate, found.goal_progress, found.exact_match, found.type_match)
        assert all(value is not None and 0 <= value <= 1 for value in values)
        assert found.exact_match <= found.type_match  # type: ignore[operator]
    assert release.goal_progress >= release.success_rate  # type: ignore[operator]


WHOLE = [pixel for pixel in range(-50, 1101) if int(pixel / 1000 * 1000) == pixel]
"""Pixels that stay the same as thousandths of a side of 1000: a few beyond the edge, such as 1001, are truncated."""


@given(*(st.sampled_from(WHOLE) for _ in range(6)))
def test_presses_against_plain_arithmetic(x: int, y: int, a: int, b: int, c: int, d: int) -> None:
    size = (1000, 1000)  # pixels are thousandths; truncation leaves whole numbers alone
    box = score_step(step(P.TAP, place(0, x, y), touch=target([[a, b], [c, d]]), size=size)).exact_match
    within = sorted((a, x, c))[1] == x and sorted((b, y, d))[1] == y
    point = score_step(step(P.TAP, place(0, x, y), touch=target([a, b]), size=size)).exact_match
    given_at_all = (x, y) != (-1, -1)
    assert box == (within and given_at_all)
    assert point == (math.dist((x, y), (a, b)) <= 140 and given_at_all)


@pytest.mark.slow
def test_a_hundred_thousand_steps_in_under_five_seconds() -> None:
    seconds, found = omnigui_seconds()
    assert found.steps == STEPS == 100_000
    assert seconds < 5
    (row,) = gui_metrics()
    assert row.kept
