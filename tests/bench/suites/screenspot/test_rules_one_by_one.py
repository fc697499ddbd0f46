"""ScreenSpot's and OSWorld-G's rules one by one, on as many items as the full data has; and every default variant."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from made_parts import make_part

from omnipilot.bench.scoring.benchmark import BENCHMARKS
from omnipilot.bench.suites.osworld_g import metrics as screenspot_osworld_g
from omnipilot.bench.suites.screenspot import metrics as screenspot
from omnipilot.bench.suites.screenspot.metrics import JudgedSpot, from_corner
from omnipilot.bench.suites.screenspot.pro import metrics as screenspot_pro

COUNTS = {"mobile": (273, 229), "desktop": (194, 140), "web": (230, 206)}
"""Texts and icons of ScreenSpot v1."""
IN, OUT = (0.5, 0.5), (0.9, 0.9)


def v1(platform: str, kind: Any, point: Any) -> JudgedSpot:
    return JudgedSpot(platform, kind, from_corner(400, 400, 200, 200), (1000, 1000), point)


def test_macro_and_micro_part_on_the_full_data() -> None:
    # Texts right, icons wrong: half of the six cells, and 697 of 1,272 items.
    items = [
        v1(platform, kind, IN if kind == "text" else OUT)
        for platform, counts in COUNTS.items()
        for kind, count in zip(("text", "icon"), counts, strict=True)
        for _ in range(count)
    ]
    found = screenspot.score(items)
    assert (len(items), len(found.cells)) == (1272, 6)
    assert found.macro == 1 / 2
    assert found.micro == pytest.approx(697 / 1272)


def test_unreadable_replies_stay_in_the_denominator() -> None:
    found = screenspot.score([v1("web", "text", None), v1("web", "text", IN)])
    assert (found.micro, found.macro, found.overall.wrong_format) == (1 / 2, 1 / 2, 1)


@pytest.mark.parametrize(("x", "y"), list(product((0.4, 0.6), (0.4, 0.6))))
def test_all_four_corners_are_inside(x: float, y: float) -> None:
    for item in (v1("web", "text", (x, y)),):
        assert screenspot.hit(item)
        assert screenspot.hit(item, "showui")


def test_pro_s_report_has_the_release_s_five_parts_and_its_overall_is_of_items() -> None:
    def pro(group: str, app: str, kind: str, point: Any, **more: Any) -> Any:
        box = (400, 400, 600, 600)
        return screenspot_pro.JudgedProSpot("windows", app, group, kind, box, (1000, 1000), point, **more)

    items = [
        *(pro("CAD", "autocad", "text", IN) for _ in range(3)),
        *(pro("CAD", "autocad", "icon", None) for _ in range(2)),
        pro("OS", "explorer", "icon", IN, instruction_style="description"),
    ]
    found = screenspot_pro.score(items)
    assert list(found.groupings) == [
        *("fine_grained", "seeclick_style", "leaderboard_simple_style", "leaderboard_detailed_style")
    ]
    assert list(found.groupings["fine_grained"]) == [
        "plat:windows app:autocad inst_style:instruction gt_type:positive",
        "plat:windows app:explorer inst_style:description gt_type:positive",
    ]
    assert list(found.groupings["leaderboard_simple_style"]) == ["group:CAD", "group:OS"]
    cad = found.groupings["leaderboard_detailed_style"]["app:autocad"]
    assert (cad.num_correct_action, cad.num_total, cad.wrong_format_num) == (3, 5, 2)
    assert (cad.action_acc, cad.text_acc, cad.icon_acc) == (3 / 5, 1, 0)
    # Over the items 4/6, over the groups it would be (3/5 + 1) / 2.
    assert found.table()["overall"] == (1, 1 / 3, 4 / 6)


def test_osworld_g_has_564_items_and_510_without_refusals() -> None:
    def made(kind: Any, count: int) -> list[Any]:
        where = {"bbox": (0, 0, 10, 10), "polygon": (0, 0, 10, 0, 10, 10), "refusal": ()}[kind]
        said = screenspot_osworld_g.REFUSED
        return [screenspot_osworld_g.JudgedTarget(kind, where, (100, 100), said, ("refusal",)) for _ in range(count)]

    # Who refuses always is right on the 54.
    found = screenspot_osworld_g.score([*made("bbox", 470), *made("polygon", 40), *made("refusal", 54)])
    assert (found.overall.correct, found.overall.total) == (54, 564)
    assert (found.without_refusals.correct, found.without_refusals.total) == (0, 510)


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ((0.2, 0.4, 0.4, 0.8), True),  # its centre, in shares: (60, 60) of 200 by 100
        ((40, 40, 80, 80), True),
        ((0.2, 0.4, 0.4, 1.1), False),  # one above 1: pixels
        ((60, 60), True),
        ((0.3, 0.6), True),
    ],
)
def test_the_centre_of_a_box_counts_and_shares_are_scaled_where_all_are_in_0_to_1(said: Any, right: bool) -> None:
    item = screenspot_osworld_g.JudgedTarget("bbox", (55, 55, 10, 10), (200, 100), said)
    assert screenspot_osworld_g.hit(item) is right


DEFAULTS = {
    "crab": "paper",
    "omnibench": "paper",
    "mmbench-l1": "release",
    "mmbench-l2": "release",
    "mmbench-l3": "release",
    "mmbench-l4": "release",
    "omniact": "release",
    "omnigui": "release",
    "screenspot": "release",
    "screenspot-v2": "release",
    "android-control": "release",
}


@pytest.mark.parametrize(("name", "default"), DEFAULTS.items())
def test_the_variant_that_comes_first_is_the_spec_s(name: str, default: str) -> None:
    assert make_part(BENCHMARKS, name).variants[0] == default
