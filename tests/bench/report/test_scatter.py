"""Scatter plots: points where they belong, labels where there is room, lines within the plot."""

from __future__ import annotations

import re

from figure_checks import check, words
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.report.figure import document
from omnipilot.bench.report.scatter import CROWD, Entry, Scatter, Spot, Trend, scatter


def drawn(spots: list[Spot], trends: list[Trend] | None = None, legend: list[Entry] | None = None) -> str:
    plot = Scatter("Success", "pointed right, %", "SR, %", spots, trends or [], legend or [])
    body, bottom = scatter(plot, 0, 1000, 7)
    return document("Success", body, 1000, bottom + 7)


def spot(x: float, y: float, label: str = "a", series: int = 0) -> Spot:
    return Spot(x, y, (max(0.0, x - 0.1), min(1.0, x + 0.1)), (max(0.0, y - 0.1), min(1.0, y + 0.1)), label, series)


shares = st.floats(0, 1)
spots = st.builds(spot, shares, shares, st.text("abc:0.5", min_size=1, max_size=30), st.integers(0, 9))


@given(st.lists(spots, min_size=1, max_size=20))
def test_nothing_overlaps_wherever_the_points_are(found: list[Spot]) -> None:
    check(drawn(found, [Trend((0.0, -0.5), (1.0, 1.5), 1)], [Entry("planner " * 9, "slope " * 20, 1)]))


def test_points_that_coincide_share_a_label_as_far_as_there_is_room() -> None:
    both = [spot(1.0, 1.0, name, series) for series in (0, 1) for name in ("gold", "elements")]
    labels = [text for text in words(check(drawn(both))) if "gold" in text or "elements" in text]
    assert labels == ["gold, elements"]
    texts = words(check(drawn([spot(0.5, 0.5, f"grounder {number}") for number in range(12)])))
    (label,) = [text for text in texts if text.startswith("grounder")]
    assert label.startswith("grounder 0, grounder 1, ") and label.endswith(" more")


def test_in_a_crowd_only_the_first_series_is_labelled() -> None:
    some = [spot(n / 14, n / 14, f"g{n}", n % 2) for n in range(CROWD + 1)]
    labels = [text for text in words(check(drawn(some))) if re.fullmatch(r"g\d+", text)]
    assert labels and all(int(label[1:]) % 2 == 0 for label in labels)


def test_a_line_ends_where_the_plot_ends() -> None:
    svg = drawn([spot(0.0, 0.0), spot(1.0, 1.0)], [Trend((0.0, -1.0), (1.0, 1.0), 0)])
    (path,) = re.findall(r'class="trend s0" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"', svg)
    x0, y0, x1, y1 = map(float, path)
    marks = [
        tuple(map(float, found)) for found in re.findall(r'<circle class="dot f0" cx="([\d.]+)" cy="([\d.]+)"', svg)
    ]
    (left, bottom), (right, top) = marks
    assert (y0, x1, y1) == (bottom, right, top) and abs(x0 - (left + right) / 2) < 0.2


def test_equal_accuracies_have_an_axis() -> None:
    texts = words(check(drawn([Spot(1.0, 0.5, None, None, "gold", 0), Spot(1.0, 0.7, None, None, "gold", 1)])))
    assert "90" in texts and "95" in texts and "105" not in texts
