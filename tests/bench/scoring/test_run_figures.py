"""The figures of a run by name, and the items of every benchmark's figures."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from omnipilot.agents import PartSpec
from omnipilot.bench.scoring.benchmark import BENCHMARKS, MINIATURES
from omnipilot.bench.scoring.figure_difference import figure_difference
from omnipilot.bench.scoring.score import Figure, Scored

pytestmark = pytest.mark.exhibit("crab", "omnibench", "mmbench_gui", "omniact", "omnigui", "android_control")
MACRO = {"mmbench-l2": {"average"}, "screenspot": {"macro"}, "screenspot-v2": {"macro"}}
"""Figures that are means of cells."""
EQA = {"mmbench-l3", "mmbench-l4"}


def scored(name: str, folder: Path) -> Scored:
    folder.mkdir()
    write: Any = MINIATURES.load(name)
    write(folder)
    predictions = importlib.import_module(write.__module__).sample_predictions(folder)
    rules: Any = BENCHMARKS.make(PartSpec(name))
    found: Scored = rules.score(str(folder), predictions, rules.variants[0])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", MINIATURES.names())
def test_a_figure_is_the_ratio_of_the_sums_of_its_items(name: str, tmp_path: Path) -> None:
    found = scored(name, tmp_path / name)
    every = [*found.figures, *found.parts]
    assert len({one.name for one in every}) == len(every)
    for one in every:
        if one.interval is None:
            continue
        if one.name in MACRO.get(name, ()) or (name in EQA and not one.name.startswith("SR")):
            assert one.items == (), one.name
            continue
        parts, wholes = (sum(getattr(item, side) for item in one.items) for side in ("part", "whole"))
        assert parts / wholes == pytest.approx(one.interval.estimate), one.name
        assert len({item.key for item in one.items}) == len(one.items), one.name
        if not any(item.templates for item in one.items):
            assert len({item.cluster for item in one.items if item.whole}) == one.interval.clusters, one.name
        same = figure_difference(one, one)
        assert same is not None and same.interval.estimate == 0 and same.p in (1.0, None), one.name


def test_figures_without_items_are_not_paired() -> None:
    assert figure_difference(Figure("a", None, 0, "items"), Figure("a", None, 0, "items")) is None
