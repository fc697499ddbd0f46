"""ScreenSpot v1, v2, Pro and OSWorld-G, by hand."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.suites.osworld_g import metrics as screenspot_osworld_g
from omnipilot.bench.suites.screenspot import metrics as screenspot
from omnipilot.bench.suites.screenspot.metrics import JudgedSpot, SpotCell, from_corner
from omnipilot.bench.suites.screenspot.pro import metrics as screenspot_pro

BOX = from_corner(100, 200, 50, 20)  # 100..150 by 200..220 of 1000 x 1000
INSIDE, OUTSIDE = (0.12, 0.21), (0.5, 0.5)


def item(platform: str = "mobile", ui_type: Any = "text", point: Any = INSIDE, **more: Any) -> JudgedSpot:
    return JudgedSpot(platform, ui_type, BOX, (1000, 1000), point, **more)


@pytest.mark.parametrize(
    ("point", "hit"),
    [
        *((point, True) for point in ((0.1, 0.2), (0.15, 0.22), (0.1, 0.22), (0.125, 0.21))),
        *((point, False) for point in ((0.0999, 0.2), (0.1501, 0.21), (0.12, 0.2201), (-1.0, -1.0), None)),
    ],
)
def test_edges_belong_to_the_box(point: Any, hit: bool) -> None:
    assert screenspot.hit(item(point=point)) == hit


def test_showui_cuts_the_edges_to_thousandths_first() -> None:
    fine = JudgedSpot("web", "icon", (100.9, 200, 150.9, 220), (1000, 1000), (0.1505, 0.21))
    left = replace(fine, point=(0.1002, 0.21))
    assert (screenspot.hit(fine), screenspot.hit(fine, "showui")) == (True, False)
    assert (screenspot.hit(left), screenspot.hit(left, "showui")) == (False, True)


def test_the_six_cells_macro_and_micro() -> None:
    items = [
        *(item(point=INSIDE), item(point=INSIDE), item(point=OUTSIDE), item(point=None)),
        *(item("web", "icon", OUTSIDE), item("desktop", "icon", INSIDE)),
    ]
    found = screenspot.score(items)
    assert found.cells == {
        ("mobile", "text"): SpotCell(2, 4, 1),
        ("desktop", "icon"): SpotCell(1, 1),
        ("web", "icon"): SpotCell(0, 1),
    }
    assert list(found.cells) == [("mobile", "text"), ("desktop", "icon"), ("web", "icon")]
    assert found.macro == pytest.approx((0.5 + 1 + 0) / 3)
    assert found.micro == 3 / 6
    assert screenspot.score([]).macro is None and screenspot.score([]).micro is None


def test_void_items_count_as_wrong_and_apart() -> None:
    found = screenspot.score([item(), item(void=True), item(point=None, void=True)])
    assert (found.micro, found.void, found.overall.wrong_format) == (pytest.approx(1 / 3), 2, 0)


cells = st.sampled_from([(p, t) for p in ("mobile", "desktop", "web") for t in ("text", "icon")])
answers = st.lists(st.tuples(cells, st.sampled_from([INSIDE, OUTSIDE, None])), min_size=1, max_size=30)


@given(answers, st.randoms())
def test_micro_is_the_weighted_mean_of_the_cells(drawn: Any, draw: random.Random) -> None:
    items = [item(*cell, point) for cell, point in drawn]
    found = screenspot.score(items)
    rates = {c: [p is INSIDE for d, p in drawn if d == c] for c in {c for c, _ in drawn}}
    assert found.macro == pytest.approx(sum(sum(r) / len(r) for r in rates.values()) / len(rates))
    assert found.micro == pytest.approx(sum(len(r) * sum(r) / len(r) for r in rates.values()) / len(items))
    assert screenspot.score(draw.sample(items, len(items))) == found


def pro(group: str = "Dev", app: str = "vscode", kind: str = "text", point: Any = INSIDE, **more: Any) -> Any:
    return screenspot_pro.JudgedProSpot("macos", app, group, kind, BOX, (1000, 1000), point, **more)


def test_pro_compares_in_shares_of_the_sides() -> None:
    # In pixels, some points that stand exactly on an edge would come back from their shares beside it.
    width, at = 3000, [n for n in range(1, 3000) if n / 3000 * 3000 != n]
    assert at
    for pixel in at:
        edge = replace(pro(), box=(pixel, 0, pixel, 9), size=(width, 2000), point=(pixel / width, 0.0))
        assert screenspot_pro.verdict(edge) == "correct"


@pytest.mark.parametrize(
    ("result", "verdict"), [("negative", "correct"), ("positive", "wrong"), (None, "wrong_format")]
)
def test_pro_items_without_a_target(result: Any, verdict: str) -> None:
    assert screenspot_pro.verdict(replace(pro(), box=None, gt_type="negative", result=result)) == verdict


def test_pro_verdicts() -> None:
    shown = [screenspot_pro.verdict(pro(point=point)) for point in (INSIDE, OUTSIDE, None)]
    assert shown == ["correct", "wrong", "wrong_format"]
    assert screenspot_pro.verdict(pro(void=True)) == "wrong"
    with pytest.raises(ValueError, match="no box"):
        screenspot_pro.verdict(replace(pro(), box=None))


def test_pro_groupings_and_the_usual_table() -> None:
    items = [
        *(pro(), pro(point=OUTSIDE), pro(kind="icon", point=None), pro(app="pycharm")),
        *(pro("CAD", "autocad", point=OUTSIDE), pro("OS", "windows", "icon", instruction_style="action")),
        replace(pro("OS", "windows", "icon"), gt_type="negative", box=None, result="positive"),
    ]
    found = screenspot_pro.score(items)
    assert {name: len(keys) for name, keys in found.groupings.items()} == {
        "fine_grained": 5,
        "seeclick_style": 3,
        "leaderboard_simple_style": 3,
        "leaderboard_detailed_style": 4,
    }
    fine = found.groupings["fine_grained"]["plat:macos app:vscode inst_style:instruction gt_type:positive"]
    assert fine == screenspot_pro.GroupCell(1, 3, 1, 1 / 3, 1 / 2, 0.0)
    assert found.groupings["seeclick_style"]["plat:macos inst_style:action gt_type:positive"].num_total == 1
    assert found.groupings["leaderboard_detailed_style"]["app:autocad"].icon_acc == 0  # no icon at all
    assert found.table() == {
        "Dev": (2 / 3, 0, 2 / 4),
        "CAD": (0, 0, 0),
        "OS": (0, 1 / 2, 1 / 2),
        "overall": (2 / 4, 1 / 3, 3 / 7),  # over the items, not over the groups
    }
    assert list(found.table()) == ["Dev", "CAD", "OS", "overall"]
    assert screenspot_pro.score([]).overall == screenspot_pro.GroupCell(0, 0, 0, 0, 0, 0)


def world(box_type: Any, coordinates: Any, prediction: Any, *abilities: str, **more: Any) -> Any:
    return screenspot_osworld_g.JudgedTarget(box_type, coordinates, (1920, 1080), prediction, abilities, **more)


SQUARE, ARROW = (100, 100, 50, 50), (0, 0, 100, 0, 100, 100, 50, 50, 0, 100)


@pytest.mark.parametrize(
    ("box_type", "coordinates", "prediction", "hit"),
    [
        *(("bbox", SQUARE, p, True) for p in ((100, 100), (150, 150), (90, 90, 120, 120), (120, 120))),
        *(("bbox", SQUARE, p, False) for p in ((151, 120), (0, 0, 120, 120), None, (-1, -1))),
        ("bbox", SQUARE, (0.0625, 0.1111), True),  # 120, 120: shares of the sides
        ("bbox", (0, 0, 1, 1), (1, 1), False),  # the first pixel cannot be named in pixels
        *(
            ("polygon", ARROW, p, hit)
            for p, hit in (((50, 20), True), ((50, 60), False), ((10, 60), True), ((200, 20), False))
        ),
        *(("refusal", (), p, hit) for p, hit in (((-1, -1), True), ((-1, 5), False), ((0, 0), False), (None, False))),
    ],
)
def test_osworld_g(box_type: Any, coordinates: Any, prediction: Any, hit: bool) -> None:
    assert screenspot_osworld_g.hit(world(box_type, coordinates, prediction)) == hit


def test_of_a_polygons_edges_left_and_top_belong_to_it() -> None:
    square = (0, 0, 10, 0, 10, 10, 0, 10)
    edges = {(0, 5): True, (5, 0): True, (10, 5): False, (5, 10): False}
    assert {place: screenspot_osworld_g.in_polygon(*place, square) for place in edges} == edges


def test_osworld_g_counts_an_item_in_each_of_its_abilities() -> None:
    items = [
        world("bbox", SQUARE, (120, 120), "text_matching", "layout_understanding"),
        world("bbox", SQUARE, None, "layout_understanding"),
        world("refusal", (), screenspot_osworld_g.REFUSED, "refusal"),
        world("refusal", (), (5, 5), "refusal", void=True),
    ]
    found = screenspot_osworld_g.score(items)
    assert (found.overall, found.without_refusals, found.void) == (SpotCell(2, 4, 1), SpotCell(1, 2, 1), 1)
    assert list(found.abilities) == ["text_matching", "layout_understanding", "refusal"]
    assert found.abilities["layout_understanding"] == SpotCell(1, 2, 1)
    with pytest.raises(ValueError, match="point .two numbers. or a box .four numbers."):
        screenspot_osworld_g.hit(world("bbox", SQUARE, (1, 2, 3)))


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=3, max_size=3),
    st.integers(0, 19),
    st.integers(0, 19),
)
def test_triangles_against_the_signs_of_areas(corners: list[tuple[int, int]], i: int, j: int) -> None:
    x, y = i + 0.41, j + 0.37  # on no edge of a triangle of whole numbers, or the case is left out
    sides = [
        (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    ]
    if all(abs(side) > 1e-9 for side in sides):
        same = all(side > 0 for side in sides) or all(side < 0 for side in sides)
        assert screenspot_osworld_g.in_polygon(x, y, [n for c in corners for n in c]) == same
