"""A figure over some of its items is what the figure of those items alone would be."""

from __future__ import annotations

import pytest

from omnipilot.bench.scoring.figure_parts import figure_among
from omnipilot.bench.scoring.score import Figure, Item
from omnipilot.bench.stats.ratio import mean_of, ratio_of


def a_figure(items: tuple[Item, ...]) -> Figure:
    return Figure("EM", None, len(items), "steps", items=items, noun="episodes")


def test_the_interval_is_that_of_the_kept_items() -> None:
    items = tuple(Item(f"{at}", f"episode-{at // 3}", float(at % 2)) for at in range(60))
    kept = figure_among(a_figure(items), lambda item: int(item.key) < 45)
    assert kept.of == 45 and len(kept.items) == 45
    whole = mean_of([item.part for item in items[:45]], [item.cluster for item in items[:45]], "episodes")
    assert kept.interval == whole


def test_weights_are_the_wholes_and_items_that_count_nothing_are_left_out() -> None:
    items = tuple(Item(f"{at}", f"e{at}", (at % 3) / 2 * (1 + at % 2), 1.0 + at % 2) for at in range(40))
    more = (*items, Item("void", "e-void", 0.0, 0.0))
    kept = figure_among(a_figure(more), lambda _: True)
    expected = ratio_of([one.part for one in items], [one.whole for one in items], [one.cluster for one in items])
    assert kept.of == 40 and kept.interval is not None and expected is not None
    assert kept.interval.estimate == pytest.approx(expected.estimate)
    assert kept.interval.low == pytest.approx(expected.low) and kept.interval.clusters == 40


def test_nothing_kept_has_no_interval() -> None:
    kept = figure_among(a_figure((Item("a", "a", 1.0),)), lambda _: False)
    assert kept.interval is None and kept.of == 0 and kept.items == ()
