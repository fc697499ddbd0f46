"""docs/lures.md: its tables of channels and kinds are those of the list."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from omnipilot.bench.suites.lures.lure import lures

PAGE = (Path(__file__).parents[2] / "docs/lures.md").read_text(encoding="utf-8")

pytestmark = pytest.mark.exhibit("lures")


@pytest.mark.parametrize("what", ["channel", "kind"])
def test_tables_are_those_of_the_list(what: str) -> None:
    table = PAGE.partition(f"| {what} | ")[2].partition("\n\n")[0]
    told = {name: int(number) for name, number in re.findall(r"^\| `(\w+)` \|.*\| (\d+) \|$", table, re.MULTILINE)}
    assert told == Counter(getattr(lure, what) for lure in lures().values())
