"""docs/families.md tells the truth: its tables are written from the records, and its examples are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from families_tables import evidence, filled

from omnipilot.envs import Click, Point, Size
from omnipilot.planners.native import NativeFamily
from omnipilot.planners.native.families.table import families

PAGE = (Path(__file__).resolve().parents[2] / "docs/families.md").read_text(encoding="utf-8")
SCREEN = Size(1000, 1000)


def test_the_tables_are_those_of_the_records() -> None:
    assert filled(PAGE) == PAGE, "run: python docs/figures/families_tables.py"
    assert filled(PAGE.replace("| `ui-tars` |", "| `gone` |")) == PAGE


def test_the_words_for_evidence_are_those_of_the_code() -> None:
    assert evidence() in PAGE


@pytest.mark.parametrize("family", [family for family in families() if family.example], ids=lambda one: one.name)
def test_an_example_clicks_the_middle(family: NativeFamily) -> None:
    (click,), _ = family.parse(family.example, SCREEN, SCREEN)
    assert isinstance(click, Click)
    assert click.at is not None and isinstance(click.at, Point)
    assert click.at.x == pytest.approx(0.5, abs=0.001) and click.at.y == pytest.approx(0.5, abs=0.001)


def test_only_families_whose_server_hands_calls_over_have_no_example() -> None:
    assert {family.name for family in families() if not family.example} == {"claude", "openai", "gemini", "gemini-3.5"}
