"""MMBench-GUI level 2: the point parser, the rule of points and boxes, counts by cell, by hand."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.suites.mmbench_gui.level2.metrics import Count, Grounded, Variant, box_of, judge, point_of, report
from omnipilot.envs import ConfigError


@pytest.mark.parametrize(
    ("reply", "point"),
    [
        ("(12,34)", (12, 34)),
        ("[0.5, .25]", (0.5, 0.25)),
        ("x=0.1; y = 0.2", (0.1, 0.2)),
        ("X: 3 Y: 4", (3, 4)),
        ("{-1 +2}", (-1, 2)),
        ("1920 1080 (12,34)", (1920, 1080)),  # whatever pair comes first
        ("<box>1,2,3,4</box>", (1, 2)),  # a box gives its first corner
        ("step 3: click (5, 6)", (5, 6)),  # a number alone is no pair
        ("at 7\n8", (7, 8)),
        ("3.", None),
        ("12", None),
        ("x=12 and y=30", None),
        ("nothing", None),
    ],
)
def test_the_point_of_a_reply(reply: str, point: tuple[float, float] | None) -> None:
    assert point_of(reply) == point


def task(reply: str = "(0.5, 0.5)", box: tuple[float, ...] = (0.25, 0.25, 0.75, 0.75), **kw: Any) -> Grounded:
    filled: dict[str, Any] = {"platform": "os_web", "mode": "basic", "kind": "icon", "width": 200, "height": 100}
    return Grounded("7", box=box, reply=reply, **{**filled, **kw})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("(0.5, 0.5)", "correct"),
        ("(0.25, 0.25)", "correct"),  # all four edges are inside
        ("(0.75, 0.75)", "correct"),
        ("(0.76, 0.5)", "wrong"),
        ("(0.5, 0.24)", "wrong"),
        ("(100, 50)", "correct"),  # above 1: pixels
        ("(150, 75)", "correct"),
        ("(151, 75)", "wrong"),
        ("(0.5, 50)", "wrong"),  # one of them above 1: both are divided
        ("(1, 1)", "wrong"),  # not above 1: the corner of the screen
        ("(-0.5, 0.5)", "wrong"),
        ("there", "wrong format"),
    ],
)
def test_the_rule(reply: str, verdict: str) -> None:
    assert judge(task(reply)) == verdict
    assert judge(task(reply, box=(50, 25, 150, 75))) == verdict


def test_a_box_in_pixels_and_minus_one() -> None:
    assert box_of(task(box=(0, 0, 1, 1))) == (0, 0, 1, 1)
    assert box_of(task(box=(-1, 10, 200, 50))) == (0, 0.1, 1, 0.5)
    # One -1 in a normalised box makes the release divide it by the image's size.
    assert box_of(task(box=(-1, 0.2, 0.5, 0.4))) == pytest.approx((0, 0.002, 0.0025, 0.004))
    assert box_of(task(box=(-1, 0.2, 0.5, 0.4)), "fixed") == (0, 0.2, 0.5, 0.4)


@pytest.mark.parametrize("box", [(0, 0, 201, 50), (0, 0, 100, 101), (-2, 0, 50, 50)])
@pytest.mark.parametrize("variant", ["paper", "release", "fixed"])
def test_a_box_outside_the_image_is_named(box: tuple[float, ...], variant: Variant) -> None:
    with pytest.raises(ConfigError, match="task 7: its box .* extends beyond the image of 200x100"):
        report([task(), task(box=box)], variant)


def test_another_parser_can_read_the_replies() -> None:
    thousandths = task("<point>500 500</point>", width=2000, height=2000)
    assert judge(thousandths) == "correct"
    assert judge(thousandths, parse=lambda _: None) == "wrong format"
    assert judge(thousandths, parse=lambda _: (0.9, 0.9)) == "wrong"


MIXED = [
    task(),
    task("(0.1, 0.1)"),
    task("?", kind="text"),
    task(platform="os_mac", kind="text"),
    task(mode="advanced"),
    task("(0.1, 0.1)", mode="advanced", void=True),
]


def test_counts_by_cell_and_the_summary() -> None:
    found = report(MIXED)
    assert found.cells == {
        ("basic", "os_web", "icon"): Count(correct=1, wrong=1),
        ("basic", "os_web", "text"): Count(wrong_format=1),
        ("basic", "os_mac", "text"): Count(correct=1),
        ("advanced", "os_web", "icon"): Count(correct=1, void=1),
    }
    assert found.platform("basic", "os_web") == Count(1, 1, 1)
    assert found.platform("basic", "os_web").accuracy == pytest.approx(1 / 3)
    # No icon on os_mac: the release divides by zero there.
    assert found.platform("basic", "os_mac").accuracy == 1
    assert Count().accuracy is None
    assert (found.basic, found.advanced) == (0.5, 0.5)


def test_the_average_of_the_release_is_that_of_the_modes_and_the_papers_pools() -> None:
    some = [task(), task(), task(), task("?", mode="advanced")]
    assert report(some).average == 0.5
    assert report(some, "paper").average == 0.75
    assert report(some, "paper").variant == "paper"
    assert report(some[:2]).average is None
    assert report(some[:2], "paper").average == 1
    assert report([]).basic is None


def test_weighting_platforms_by_tasks_is_pooling() -> None:
    found = report(MIXED)
    platforms = [found.platform("basic", name) for name in ("os_web", "os_mac")]
    total = sum(count.total for count in platforms)
    assert found.basic == pytest.approx(sum((count.accuracy or 0) * count.total for count in platforms) / total)


rows = st.lists(
    st.builds(
        task,
        st.tuples(st.floats(0, 1.2), st.floats(0, 1.2)).map(str) | st.just("?"),
        platform=st.sampled_from(["os_web", "os_mac"]),
        mode=st.sampled_from(["basic", "advanced"]),
        kind=st.sampled_from(["icon", "text"]),
        void=st.booleans(),
    ),
    max_size=20,
)


@given(rows, st.randoms(use_true_random=False))
def test_scores_stay_in_range_whatever_the_order_and_the_names(some: list[Grounded], draw: random.Random) -> None:
    found = report(some)
    assert sum(count.total for count in found.cells.values()) == len(some)
    other = [replace(one, platform=one.platform[::-1]) for one in some]
    draw.shuffle(other)
    again = report(other)
    for figure in ("basic", "advanced", "average"):
        assert getattr(found, figure) is None or 0 <= getattr(found, figure) <= 1
        assert getattr(found, figure) == getattr(again, figure)
