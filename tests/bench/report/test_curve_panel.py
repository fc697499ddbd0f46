"""Figures of curves: everything is inside and apart, whatever the curves are."""

from __future__ import annotations

import re

import pytest
from figure_checks import check, read, words

from omnipilot.bench.report.curve_panel import Series, curves

RISING = [(n / 20, min(0.6, n / 20)) for n in range(21)]
FLAT = [(0.0, 0.0), (1.0, 0.0)]
NOTES = ("EQA 41.2 % (the area)", "SR 60.0 %", "60 % of the budget used")


@pytest.mark.parametrize(
    "series",
    [
        [Series("a", RISING, NOTES, (0.6, 0.6))],
        [Series("a", RISING, NOTES, (0.6, 0.6)), Series("b", RISING, NOTES, (0.6, 0.6))],
        [Series("a", FLAT, NOTES, (1.0, 0.0)), Series("b", FLAT, NOTES, (0.2, 0.0))],
        [Series("some/very/long/folder/with/run " * 3 + end, RISING, NOTES) for end in "ab"],
        [Series(str(n), [(0.0, 0.0), (1.0, n / 500)], NOTES) for n in range(5)],
    ],
)
def test_texts_are_apart(series: list[Series]) -> None:
    svg = curves("Success", series, "across", "up")
    texts = words(check(svg))
    assert {"Success", "across", "up"} <= set(texts) and texts.count("SR 60.0 %") == len(series)
    assert len(re.findall(r'class="curve', svg)) == 2 * len(series)


def test_a_curve_is_where_its_axes_say() -> None:
    svg = curves("Success", [Series("a", [(0.0, 0.0), (0.5, 0.3), (1.0, 0.3)])], "across", "up")
    place = {text.words: text for text in read(svg)[1]}
    first = re.search(r'class="curve s0"[^>]*d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)L([\d.]+)', svg)
    assert first is not None
    x0, y0, half, top, full = map(float, first.groups())
    middle = {name: (place[name].left + place[name].right) / 2 for name in ("20", "100")}
    assert full == pytest.approx(middle["100"], abs=1) and half == pytest.approx((x0 + full) / 2)
    # The highest number of the axis is the highest point.
    assert place["30"].top < top < place["30"].bottom and y0 > top
